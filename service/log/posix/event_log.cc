#include "service/log/event_log.h"

namespace winperf {

std::unique_ptr<EventLog> open_event_log(const std::string&) { return nullptr; }

}  // namespace winperf
