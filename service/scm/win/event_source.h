// The registry entry that tells the event viewer which file has a source's message texts. Thread
// rule: any thread.
// Source: Learn, "Event Sources".
#pragma once

#include <string>

#include "service/scm/service_manager.h"

namespace winperf {

[[nodiscard]] ServiceResult<void> add_event_source(const std::string& source,
                                                   const std::string& message_file);
// A missing entry is no error.
[[nodiscard]] ServiceResult<void> remove_event_source(const std::string& source);

}  // namespace winperf
