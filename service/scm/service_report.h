// What `service status` prints: a text for people, a document for programs. Thread rule: any
// thread.
//
// The document's keys are stable:
//   {"name", "state": "running" | "starting" | "stopping" | "stopped" | "not_installed",
//    "process_id" (or null), "start": "delayed" | "auto" | "manual" | "disabled",
//    "account", "command_line", "exit_code", "service_exit_code"}
// If the service is not installed, the document has only the name and the state.
#pragma once

#include <string>

#include "service/scm/service_manager.h"

namespace winperf {

// Null: there is no such service.
std::string service_to_text(const std::string& name, const ServiceFacts* facts);
std::string service_to_json(const std::string& name, const ServiceFacts* facts);

}  // namespace winperf
