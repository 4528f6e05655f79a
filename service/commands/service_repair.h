// What `service repair` installs again: the service as it is, or as the installer made it. It takes
// nothing from whoever starts the repair: Windows' own entry of the service says it, or what the
// installer has written where only administrators and the system write. Thread rule: one thread.
#pragma once

#include <expected>
#include <string>

#include "service/scm/service_manager.h"

namespace winperf {

// The error is a sentence.
[[nodiscard]] std::expected<ServiceRequest, std::string> request_to_repair(ServiceManager& manager,
                                                                           const std::string& name);

}  // namespace winperf
