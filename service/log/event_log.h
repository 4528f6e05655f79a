// The Windows event log. Other systems have none. Thread rule: any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "service/log/log_event.h"

namespace winperf {

class EventLog {
 public:
  virtual ~EventLog() = default;
  // The event log adds its own text for the event. A failure to write is ignored: there is nowhere
  // to report it.
  virtual void write(Event event, std::string_view subject, std::string_view text) = 0;
};

// The source's name is the service's name. Null if there is no event log, or Windows refuses.
// Implemented in win/ and posix/.
[[nodiscard]] std::unique_ptr<EventLog> open_event_log(const std::string& source);

}  // namespace winperf
