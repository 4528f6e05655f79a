// The entry in the registry that tells the event viewer where a source's messages are: in this
// program's file.
// Source: Learn, "Event Sources".
#pragma once

#include <string>

#include "service/scm/service_manager.h"

namespace winperf {

ServiceResult<void> add_event_source(const std::string& source, const std::string& message_file);
// No error if it is not there.
ServiceResult<void> remove_event_source(const std::string& source);

}  // namespace winperf
