// The kinds of messages that the program logs, from log_event.inc. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "config/config.h"

namespace winperf {

enum class Event : std::uint8_t {
#define LOG_EVENT(event, id, level, name) event,
#include "service/log/log_event.inc"
};

struct EventKind {
  Event event;
  std::uint16_t id;  // in the Windows event log
  LogLevel level;
  std::string_view name;  // in JSON
};

inline constexpr EventKind kEventKinds[] = {
#define LOG_EVENT(event, id, level, name) {Event::event, id, LogLevel::level, name},
#include "service/log/log_event.inc"
};

constexpr const EventKind& kind_of(Event event) {
  return kEventKinds[static_cast<std::size_t>(event)];
}

// Whether charts mark it, because values change with it: /api/v1/annotations.
constexpr bool is_landmark(Event event) {
  switch (event) {
    case Event::kStarted:
    case Event::kReloaded:
    case Event::kReloadFailed:
    case Event::kWorkerLost:
    case Event::kProviderHarm:
    case Event::kTargetHangs:
      return true;
    default:
      return false;
  }
}

}  // namespace winperf
