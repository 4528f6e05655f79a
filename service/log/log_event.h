// What the program reports: one table of the kinds of messages. The Windows event log shows the
// ids, which never change their meaning; JSON log lines carry the names. The texts of the event log
// are in service/log/win/messages.mc, their explanation in docs/service.md.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "config/config.h"

namespace winperf {

enum class Event : std::uint8_t {
  kStarted,
  kStopped,
  kNotStarted,  // the reason
  kStopping,
  kProviderHangs,    // at the stop
  kCountersetFails,  // subject: the counterset
  kCountersetWorks,  // again; subject: the counterset
  kSamplingEnded,
  kPerflibMissing,
  kCountersetFallsBack,     // the reason; subject: the counterset
  kCountersetPathRestored,  // subject: the counterset
  kSourceNotice,            // such as what a recording lacks
  kReloaded,
  kReloadFailed,  // the reason, in lines; the configuration before stays in use
  kListensAgain,  // where the port was lost while its address was changed
  kSuppressed,    // subject: that of the messages
};

struct EventKind {
  Event event;
  std::uint16_t id;  // in the Windows event log
  LogLevel level;    // kInfo, kWarn or kError
  std::string_view name;
};

// In the order of the enumeration.
std::span<const EventKind> event_kinds();
const EventKind& kind_of(Event event);

}  // namespace winperf
