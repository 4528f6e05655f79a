#include "exporter/http/door.h"

#include <utility>

namespace winperf {
namespace {

constexpr Refusal kNoPassword{.status = 401, .reason = "Unauthorized"};
constexpr Refusal kTooMany{.status = 429, .reason = "Too Many Requests"};

// The client under which requests and guesses are counted. This machine has 2^24 loopback
// addresses.
std::string sender_of(const NetAddress& address) {
  return is_loopback(address) ? "this machine" : to_text(network_of(address));
}

Refusal refusal_of(const RequestHead& request, Refusal refusal) {
  refusal.without_body = request.method == "HEAD";
  return refusal;
}

}  // namespace

void Door::change(DoorRules rules) {
  const std::lock_guard lock(mutex_);
  const bool same_limit = requests_ && rules.interval == interval_ && rules.burst == burst_;
  if (!same_limit) requests_.emplace(rules.interval, rules.burst);
  interval_ = rules.interval;
  burst_ = rules.burst;
  wants_password_ = !rules.users.empty();
  passwords_.change_users(std::move(rules.users));
}

void Door::ask(const RequestHead& request, Decide decide) {
  const std::string sender = sender_of(request.visitor.address);
  bool is_one_too_many = false;
  bool wants_password = false;
  {
    const std::lock_guard lock(mutex_);
    is_one_too_many = requests_ && !requests_->take(sender, std::chrono::steady_clock::now());
    wants_password = wants_password_;
  }
  if (is_one_too_many) return decide(refusal_of(request, kTooMany));
  if (!wants_password) return decide(std::nullopt);
  passwords_.ask(request.authorization.value_or(""), sender,
                 [decide = std::move(decide), no_password = refusal_of(request, kNoPassword),
                  too_many = refusal_of(request, kTooMany)](Verdict verdict) {
                   switch (verdict) {
                     case Verdict::kGranted:
                       return decide(std::nullopt);
                     case Verdict::kRefused:
                       return decide(no_password);
                     case Verdict::kTooMany:
                       return decide(too_many);
                   }
                 });
}

}  // namespace winperf
