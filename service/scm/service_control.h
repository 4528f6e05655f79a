// What `winperf_exporter service ...` does with a service manager: the order of the steps, the
// waiting, and the messages.
//
// Each function writes its result to `out` and its complaints to `err`, and returns the exit code.
// No wait for a start or a stop is longer than kServiceTimeout. Thread rule: one thread.
#pragma once

#include <chrono>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "service/scm/service_manager.h"

namespace winperf {

// What `service status` prints: a text for people, a document for programs. Thread rule: any
// thread.
//
// The document's keys are stable:
//   {"name", "state": "running" | "starting" | "stopping" | "stopped" | "not_installed",
//    "process_id" (or null), "start": "delayed" | "auto" | "manual" | "disabled",
//    "account", "command_line", "exit_code", "service_exit_code"}
// If the service is not installed, the document has only the name and the state.

// Null: there is no such service.
std::string service_to_text(const std::string& name, const ServiceFacts* facts);
std::string service_to_json(const std::string& name, const ServiceFacts* facts);

struct ServiceConsole {
  std::ostream& out;
  std::ostream& err;
};

inline constexpr std::chrono::seconds kServiceTimeout{30};

// Creates or updates the service, after its folder, without which there is none. A part that this
// Windows lacks is skipped with a message. If a part fails, the message names it, the other parts
// are set, and the exit code is kExitFailure.
int install_service(ServiceManager& manager, const ServiceDefinition& definition,
                    ServiceConsole console);
// Makes the service's folder, and takes it from strangers, before anything is put into it.
int prepare_service(ServiceManager& manager, const std::string& name, ServiceConsole console);
// Removes that folder and the one for logs as far as they are empty, and nothing in them.
int undo_prepare_service(ServiceManager& manager, const std::string& name, ServiceConsole console);
// Stops the service first. A missing service is no error. The configuration is kept, and so are the
// logs unless `with_logs`.
int uninstall_service(ServiceManager& manager, const std::string& name, bool with_logs,
                      ServiceConsole console);
// What keeps a service with this command line from starting, in lines; empty if that isn't known.
using DiagnoseStart = std::function<std::string(std::string_view command_line)>;
// Returns when the service runs or has ended.
int start_service(ServiceManager& manager, const std::string& name, const DiagnoseStart& diagnose,
                  ServiceConsole console);
// Returns when the service has stopped.
int stop_service(ServiceManager& manager, const std::string& name, ServiceConsole console);
// Only requests the reload: the service's log has the result.
int reload_service(ServiceManager& manager, const std::string& name, ServiceConsole console);
// kExitOk while it runs or starts, otherwise kExitNotRunning or kExitNotInstalled.
int show_service(ServiceManager& manager, const std::string& name, bool as_json,
                 ServiceConsole console);

// Puts the service in the place of another one that uses the same port, and back again.

// Stops `other`, keeps Windows from starting it, and starts `name`. If `name` can't start, `other`
// runs again as before. Without `other`, this is a start.
int replace_service(ServiceManager& manager, const std::string& name, const std::string& other,
                    const DiagnoseStart& diagnose, ServiceConsole console);

// Stops `name`, keeps Windows from starting it, and starts `other`, now and with Windows. Nothing
// is stopped if there is no `other`.
int restore_service(ServiceManager& manager, const std::string& name, const std::string& other,
                    ServiceConsole console);

// Windows' error as a sentence that says what to do, and the exit code for it.
std::string explain(const SystemError& error);
int exit_code_of(const SystemError& error);

}  // namespace winperf
