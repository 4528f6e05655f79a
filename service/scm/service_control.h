// `winperf_exporter service ...`: the order of the steps, the waiting, and the messages.
//
// Each function writes its result to `out` and errors to `err`, and returns the exit code. No wait
// for a start or a stop is longer than kServiceTimeout. Thread rule: one thread.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "service/scm/counter_registrar.h"
#include "service/scm/service_manager.h"

namespace winperf {

// The output of `service status`, as text or JSON. Thread rule: any thread.
//
// The document's keys are stable:
//   {"name", "state": "running" | "starting" | "stopping" | "stopped" | "not_installed",
//    "process_id" (or null), "start": "delayed" | "auto" | "manual" | "disabled",
//    "account", "command_line", "exit_code", "service_exit_code",
//    "own_counters": "v1" | "v2" | "v1 and v2" | "none" (or null), "own_counters_library",
//    "own_counters_first_index", "own_counters_last_index" (each may be null)}
// If the service is not installed, the document has only the name and the state.

// Null: the service does not exist. `counters`: how its own counters are registered; null if that
// is unknown, or if it isn't the service that can have them.
std::string service_to_text(const std::string& name, const ServiceFacts* facts,
                            const CounterFacts* counters = nullptr);
std::string service_to_json(const std::string& name, const ServiceFacts* facts,
                            const CounterFacts* counters = nullptr);

struct ServiceConsole {
  std::ostream& out;
  std::ostream& err;
};

inline constexpr std::chrono::seconds kServiceTimeout{30};

// Creates or updates the service, after creating its folder, which it requires. A part that this
// Windows lacks is skipped with a message. If a part fails, the message names it, the other parts
// are set, and the exit code is kExitFailure.
int install_service(ServiceManager& manager, const ServiceDefinition& definition,
                    ServiceConsole console);
// Creates the service's folder and restricts its permissions, before anything is put into it.
int prepare_service(ServiceManager& manager, const std::string& name, ServiceConsole console);
// Removes that folder and the one for logs if they are empty; deletes no files.
int undo_prepare_service(ServiceManager& manager, const std::string& name, ServiceConsole console);
// Stops the service first. A missing service is no error; what it may have left elsewhere is
// removed. The configuration is kept, and so are the logs unless `with_logs`.
int uninstall_service(ServiceManager& manager, const std::string& name, bool with_logs,
                      ServiceConsole console);
// Why a service with this command line can't start, in lines; empty if unknown.
using DiagnoseStart = std::function<std::string(std::string_view command_line)>;
// Returns when the service runs or has ended.
int start_service(ServiceManager& manager, const std::string& name, const DiagnoseStart& diagnose,
                  ServiceConsole console);
// Returns when the service has stopped.
int stop_service(ServiceManager& manager, const std::string& name, ServiceConsole console);
// Only requests the reload: the service's log has the result.
int reload_service(ServiceManager& manager, const std::string& name, ServiceConsole console);
// kExitOk while it runs or starts, otherwise kExitNotRunning or kExitNotInstalled.
int show_service(ServiceManager& manager, const std::string& name, const CounterFacts* counters,
                 bool as_json, ServiceConsole console);

// Replaces another service that uses the same port, and restores it.

// Stops `other`, keeps Windows from starting it, and starts `name`. If `name` can't start, `other`
// runs again as before. Without `other`, this is a start.
int replace_service(ServiceManager& manager, const std::string& name, const std::string& other,
                    const DiagnoseStart& diagnose, ServiceConsole console);

// Stops `name`, keeps Windows from starting it, and starts `other`, now and with Windows. Nothing
// is stopped if there is no `other`.
int restore_service(ServiceManager& manager, const std::string& name, const std::string& other,
                    ServiceConsole console);

// Windows' error as a sentence with the remedy, and the exit code for it.
std::string explain(const SystemError& error);
int exit_code_of(const SystemError& error);

}  // namespace winperf
