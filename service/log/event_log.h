// The Windows event log, where administrators look first. Elsewhere there is none.
// Thread rule: any thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "service/log/log_event.h"

namespace winperf {

class EventLog {
 public:
  virtual ~EventLog() = default;
  // The message's text in the event log, with what it is about and what there is to say. A log that
  // takes no more entries is nobody's business here.
  virtual void write(Event event, std::string_view subject, std::string_view text) = 0;
};

// Under the name of a source, which is a service's name. Null where there is no event log, and
// where Windows refuses. Implemented in service/win and service/posix.
std::unique_ptr<EventLog> open_event_log(const std::string& source);

}  // namespace winperf
