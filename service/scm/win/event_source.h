// Sources of the event log "Application": registry entries with the file of their message texts,
// for the event viewer. Thread rule: any thread. Source: Learn, "Event Sources".
#pragma once

#include <optional>
#include <string>

#include "service/scm/service_manager.h"

namespace winperf {

[[nodiscard]] ServiceResult<void> put_event_source(const std::string& source,
                                                   const std::string& message_file);
// A missing entry is no error.
[[nodiscard]] ServiceResult<void> remove_event_source(const std::string& source);
// Nothing if there is no such source, or it can't be read.
std::optional<std::string> message_file_of(const std::string& source);

}  // namespace winperf
