// What `winperf_exporter service ...` does with a service manager: the order of steps, the waiting,
// and the words for whatever goes wrong.
//
// Each function writes its result to `out` and its complaints to `err`, and returns the exit code.
// Waiting is bounded: kTimeout for a start or a stop.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "service/scm/service_manager.h"

namespace winperf {

struct ServiceConsole {
  std::ostream& out;
  std::ostream& err;
};

inline constexpr std::chrono::seconds kServiceTimeout{30};

// Makes or updates. A part that this Windows does not know is named and left out; one that fails is
// named, and the exit code is that of a failure, with the service there.
int install_service(ServiceManager& manager, const ServiceDefinition& definition,
                    ServiceConsole console);
// Stops first. A service that is not there is no error. Its configuration stays; its logs, too,
// unless told otherwise.
int uninstall_service(ServiceManager& manager, const std::string& name, bool with_logs,
                      ServiceConsole console);
// What keeps a service of this command line from starting, in lines; empty where that isn't known.
using DiagnoseStart = std::function<std::string(std::string_view command_line)>;
// Returns once it runs, or has ended.
int start_service(ServiceManager& manager, const std::string& name, const DiagnoseStart& diagnose,
                  ServiceConsole console);
// Returns once it has stopped.
int stop_service(ServiceManager& manager, const std::string& name, ServiceConsole console);
// Asks for it: how it went is said in the service's log.
int reload_service(ServiceManager& manager, const std::string& name, ServiceConsole console);
// kExitOk while it runs or starts, otherwise kExitNotRunning or kExitNotInstalled.
int show_service(ServiceManager& manager, const std::string& name, bool as_json,
                 ServiceConsole console);

// Windows' error in words that say what to do, and the exit code for it.
std::string explain(const SystemError& error);
int exit_code_of(const SystemError& error);

}  // namespace winperf
