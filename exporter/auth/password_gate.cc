#include "exporter/auth/password_gate.h"

#include <chrono>
#include <exception>
#include <utility>

#include "exporter/auth/basic_credentials.h"
#include "exporter/auth/password_hash.h"

namespace winperf {

PasswordGate::PasswordGate() : PasswordGate(std::chrono::steady_clock::now, is_password) {}

PasswordGate::PasswordGate(std::function<Time()> now, Compare compare)
    : desk_(std::make_shared<PasswordDesk>(std::move(now), std::move(compare))) {}

void PasswordGate::ask(const std::string& field, const std::string& address, Decide decide) {
  auto credentials = parse_basic_credentials(field);
  if (!credentials) return decide(Verdict::kRefused);
  if (desk_->decides_at_once(*std::move(credentials), address, std::move(decide))) return;
  if (!has_thread()) desk_->turn_away();
}

// The system may have none, now.
bool PasswordGate::has_thread() {
  const std::lock_guard lock(mutex_);
  if (thread_.is_started()) return true;
  try {
    thread_ = {[desk = desk_] { desk->work(); }, [desk = desk_] { desk->end(); }};
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

BackgroundThread PasswordGate::end() {
  desk_->end();
  const std::lock_guard lock(mutex_);
  return std::exchange(thread_, {});
}

}  // namespace winperf
