// The kinds of messages that the program logs, in one table. The Windows event log shows the ids,
// which never change their meaning; JSON log lines have the names. service/log/win/messages.mc has
// the event log's texts, and docs/service.md explains them. Thread rule: any thread.
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
  kProviderHangs,    // when the program stops
  kCountersetFails,  // subject: the counterset
  kCountersetWorks,  // after a failure; subject: the counterset
  kSamplingEnded,
  kPerflibMissing,
  kCountersetFallsBack,     // the reason; subject: the counterset
  kCountersetPathRestored,  // subject: the counterset
  kSourceNotice,            // such as what a recording lacks
  kCountersetDamaged,       // the part that was left out; subject: the counterset
  kCountersetWhole,         // after that; subject: the counterset
  kCountersetStale,         // too old to be shown; subject: the counterset
  kReloaded,
  kReloadFailed,       // the reason, in lines; the previous configuration stays in use
  kListensAgain,       // after the port was lost while its address changed
  kDiscoveryFails,     // the reason; what patterns stand for stays as it was
  kCountersetsFound,   // what patterns stand for, if it has changed, or after a failure
  kFactsFail,          // topic, reason
  kFactsWork,          // topic
  kWorkerLost,         // subject: the worker
  kWorkerWorks,        // after a loss; subject: the worker
  kSamplingStuck,      // for how long
  kProvidersParted,    // the reason
  kProvidersTogether,  // after that
  kProviderHarm,       // what it has done; subject: the provider
  kScrapedTooOften,    // by whom
  kCertificate,        // that expires, has expired or isn't valid yet; subject: the address
  kTargetFails,        // the reason; subject: another machine
  kTargetWorks,        // after a failure; subject: the machine
  kTargetHangs,        // it cost a worker its process; subject: the machine
  kProbesFail,         // how many names, with an example
  kSuppressed,         // subject: that of the suppressed messages
  kLinesLost,          // that could not be written, when they can be again
  kLogFails,           // why lines can't be written
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
