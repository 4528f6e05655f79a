// Who may ask anything at an address: a limit of requests, and passwords. The limit comes first, as
// in exporter-toolkit, so that guessing has it, too. Each client address has the whole of it, so
// that none uses up what others need.
//
// Passwords are compared on a thread of their own (exporter/auth). Thread rule: any thread.
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
  // Takes no time. Calls `decide` at once or later, on any thread, at most once; never after the
  // door has ended.
  void ask(const RequestHead& request, Decide decide);
  // No password is compared any more, but for one that may be under way.
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
