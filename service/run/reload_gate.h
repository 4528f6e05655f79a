// Lets any thread request a reload of the configuration and wait for its outcome, which the thread
// that reloads reports here.
//
// A reload that began before a request may have read the file before it was changed. A request
// therefore waits for a reload that begins later; several waiting requests share one.
// Thread rule: any thread; perform() by one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <expected>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

namespace winperf {

// The error lists what is wrong, in lines.
using ReloadOutcome = std::expected<void, std::string>;

class ReloadGate {
 public:
  // Calls `request`, which must make another thread call perform(), and waits for the outcome.
  // Nothing after the timeout, or if the gate is closed.
  [[nodiscard]] std::optional<ReloadOutcome> ask(const std::function<void()>& request,
                                                 std::chrono::milliseconds timeout);
  // Calls `reload`, then `report` with the outcome, then wakes those who wait. An exception from
  // `reload` is a failure like any other: the program goes on.
  void perform(const std::function<ReloadOutcome()>& reload,
               const std::function<void(const ReloadOutcome&)>& report = {});
  // Ends all waiting, now and later.
  void close();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t begun_ = 0;
  std::uint64_t ended_ = 0;
  ReloadOutcome last_;
  bool closed_ = false;
};

}  // namespace winperf
