// What launched the long-running program: a person at a console, or Windows' service control
// manager. The program is the same for both. The host determines how the program is stopped, where
// its state is reported, and whether standard error is visible.
//
// run_hosted() is implemented in win/ and posix/, chosen by CMake.
// Thread rule: the thread that a host is passed to; request_reload() may be called by any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "service/console/exit_code.h"

namespace winperf {

// The work of the host's thread while the program runs.
struct HostedWork {
  std::function<void()> reload;    // reloads the configuration, as requested
  std::function<void()> maintain;  // handles what another thread has reported
  // Returns the time until the next call; nothing: the program can't continue.
  std::function<std::optional<std::chrono::milliseconds>()> poll;
};

class ServiceHost {
 public:
  virtual ~ServiceHost() = default;

  // The service's name; empty at a console.
  virtual const std::string& service_name() const = 0;

  // Reports why the program ends before it runs: on standard error at a console, in the event log
  // for a service. Returns the exit code.
  virtual int cannot_start(const Failure& failure) = 0;

  // Progress reports between long steps.
  virtual void still_starting() = 0;
  virtual void still_stopping() = 0;
  // Waits before the program runs. False if a stop is requested.
  virtual bool pause_start(std::chrono::milliseconds time) = 0;

  // From here on the program runs and accepts reload requests.
  virtual void running(const std::string& url) = 0;
  // Does the work until a stop is requested or the work can't continue.
  virtual void wait(const HostedWork& work) = 0;
  // Any thread: the same as a reload request from the system.
  virtual void request_reload() = 0;
  // Any thread: has the work maintained soon.
  virtual void request_maintenance() = 0;

  // Ends the process, although some threads can't be ended. `failed`: because the program can't
  // continue, not because of a stop request.
  [[noreturn]] virtual void abandon(bool failed) = 0;
  // The same, after all important work is done.
  [[noreturn]] virtual void leave(int exit_code) = 0;
};

// Calls `body` once and returns its result, the process' exit code. At a console, exceptions from
// `body` are not caught; in a service they are reported and become exit code 1.
int run_hosted(const std::function<int(ServiceHost&)>& body);

// Queue of requests: any thread posts them, the main thread takes them.
//
// post() doesn't wait. A stop request precedes everything else and stays in the queue; a reload
// precedes maintenance. Equal requests that have not been taken yet count as one. Thread rule:
// post() by any thread, take() by one.
enum class Control : std::uint8_t { kNone, kMaintain, kReload, kStop };

class ControlQueue {
 public:
  void post(Control control);
  // Waits for the next request; kNone if there is none by then.
  [[nodiscard]] Control take(std::chrono::steady_clock::time_point until);

 private:
  std::mutex mutex_;
  std::condition_variable posted_;
  bool stop_ = false;
  bool reload_ = false;
  bool maintain_ = false;
};

// False at a stop request. Other requests mean nothing yet.
[[nodiscard]] bool passes_without_stop(ControlQueue& queue, std::chrono::milliseconds time);

// A reload may leave something to retry.
inline constexpr std::chrono::seconds kPollAfterReload{1};

// The loop of every host, which polls at the beginning, and soon after a reload. Returns at the
// first stop request, or when the work can't continue.
void do_hosted_work(ControlQueue& queue, const HostedWork& work);

}  // namespace winperf
