// Documents about the program itself. Thread rule: pure functions; those in ServiceReports are
// called by any thread.
#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/recorder/history.h"
#include "exporter/api/api_query.h"

namespace winperf::api {

// A message of the log.
struct Message {
  Ticks100ns time;
  std::string_view level;  // as the configuration calls it
  std::string_view event;
  std::string subject{};  // may be empty
  std::string text{};
};

// What the program knows of itself. What is missing has no answer.
struct ServiceReports {
  // The last ones, the oldest first.
  std::function<std::vector<Message>()> messages{};
  // Those of them that charts mark.
  std::function<std::vector<Message>()> landmarks{};
};

inline constexpr std::size_t kMostMessages = 1'000;
inline constexpr std::size_t kUsualMessages = 100;
inline constexpr std::size_t kMostInterruptions = 1'000;

// GET /api/v1/log: the last messages, or the last ones since a time.
//   {"messages": [{"time", "level", "event", "subject", "text"}]}
[[nodiscard]] std::expected<std::string, Problem> log_document(std::span<const Message> messages,
                                                               const Query& parameters,
                                                               Ticks100ns now);

// GET /api/v1/annotations: messages that charts mark, and where samples are missing.
//   {"annotations": [{"time", "until", "seconds", "kind", "subject", "text"}]}
// The kind of a message is its event; that of missing samples is "gap" or "clock_backwards".
// `history`: null if nothing is recorded.
[[nodiscard]] std::expected<std::string, Problem> annotations_document(
    std::span<const Message> landmarks, const recorder::History* history, const Query& parameters,
    Ticks100ns now);

}  // namespace winperf::api
