// Where a thread asks for a reload of the configuration and waits for its outcome, and where the
// thread that reloads says how it went.
//
// A reload that began before somebody asked may have read the file before it was changed, so
// whoever asks waits for one that begins later; several that wait share it.
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

// The error says in words what is wrong, in lines.
using ReloadOutcome = std::expected<void, std::string>;

class ReloadGate {
 public:
  // Calls `request`, which has perform() called on another thread, and waits. Nothing if that
  // took longer than `patience`, or the desk is closed.
  std::optional<ReloadOutcome> ask(const std::function<void()>& request,
                                   std::chrono::milliseconds timeout);
  // An exception of `reload` is a failure like another: the program goes on. `report` is called
  // with the outcome before anybody is answered.
  void perform(const std::function<ReloadOutcome()>& reload,
               const std::function<void(const ReloadOutcome&)>& report = {});
  // Nobody waits any longer.
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
