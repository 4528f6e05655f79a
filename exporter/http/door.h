// Who may use an address: a request limit, and passwords. The limit comes first, as in
// exporter-toolkit, so that it also applies to guesses. Each client address has the full limit, so
// that none uses up that of others.
//
// Passwords are compared on a separate thread (exporter/auth). Thread rule: any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "exporter/auth/password_gate.h"
#include "exporter/http/connection.h"

namespace winperf {

struct DoorRules {
  std::vector<User> users{};              // empty: everyone
  std::chrono::milliseconds interval{0};  // between two requests of a client; 0: no limit
  std::int64_t burst = 0;
};

// Decides whether a request is answered at all, before anything of its answer is made.
class Door {
 public:
  // For all requests from now on.
  void change(DoorRules rules);
  // Nothing: the request is answered.
  using Decide = std::function<void(std::optional<Refusal>)>;
  // Returns immediately. Calls `decide` now or later, on any thread, at most once; never after the
  // door has ended.
  void ask(const RequestHead& request, Decide decide);
  // Compares no further password; one comparison may still be running.
  BackgroundThread end_passwords() { return passwords_.end(); }

 private:
  std::mutex mutex_;  // not for the passwords
  bool wants_password_ = false;
  std::chrono::milliseconds interval_{0};
  std::int64_t burst_ = 0;
  std::optional<AddressLimits> requests_{};
  PasswordGate passwords_;
};

}  // namespace winperf
