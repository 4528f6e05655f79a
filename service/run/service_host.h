// Whoever a program that runs on and on was started by: a person at a console, or Windows' service
// control manager. The program is the same for both; what differs is who tells it to stop, whom it
// tells that it runs, and whether anybody reads its standard error.
//
// Implemented in service/win and service/posix, chosen by CMake.
// Thread rule: a host is used by the thread that it was given to, but for request_reload().
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "service/console/exit_code.h"

namespace winperf {

// What the thread of the host does while the program runs.
struct HostedWork {
  std::function<void()> reload;  // the configuration, because somebody asks for it
  std::function<bool()> poll;    // every kPollInterval or so; false: it can't go on
};

inline constexpr std::chrono::seconds kPollInterval{1};

class ServiceHost {
 public:
  virtual ~ServiceHost() = default;

  // The service's name; empty at a console.
  virtual const std::string& service_name() const = 0;
  bool is_service() const { return !service_name().empty(); }

  // Tells whoever started the program why it ends before it runs: at a console on standard
  // error, as a service in the event log. Returns the exit code.
  virtual int cannot_start(const Failure& failure) = 0;

  // Signs of life between two steps that take long.
  virtual void still_starting() = 0;
  virtual void still_stopping() = 0;

  // From here on the program runs, and takes requests to reload its configuration.
  virtual void running() = 0;
  // Does the work, one piece after the other, and returns when the program is to stop, or can't go
  // on.
  virtual void wait(const HostedWork& work) = 0;
  // Any thread: the same as when the system asks for it.
  virtual void request_reload() = 0;

  // Ends the process, after a stop, with threads in it that can't be ended.
  [[noreturn]] virtual void abandon() = 0;
};

// Calls `body` once and returns what it returns: the process' exit code. Exceptions of the body are
// those of a console program; as a service they become the exit code 1.
int run_hosted(const std::function<int(ServiceHost&)>& body);

}  // namespace winperf
