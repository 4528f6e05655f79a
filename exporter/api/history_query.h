// The parameters of /api/v1/range, /api/v1/top and /api/v1/recording.
//
// A time is written as in RFC 3339 (2026-11-28T02:00:00Z), in seconds since 1970, or as how long
// ago it was (15m, 1h30m). What is out of range is refused; unknown parameters have been before
// (exporter/api/api_query.h).
// Thread rule: pure functions.
#pragma once

#include <chrono>
#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/clock.h"
#include "exporter/api/api_query.h"

namespace winperf::api {

struct RangeQuery {
  std::vector<std::string> paths{};  // at least one
  // Before `until`. Nothing: at a moment, which is `until`.
  std::optional<Ticks100ns> since{};
  Ticks100ns until{};
  std::optional<std::chrono::milliseconds> step{};  // nothing: the whole time is one
  bool as_columns = false;
};

struct TopQuery {
  std::string counter = "% Processor Time";
  std::size_t count = 10;
  // Nothing: at a moment, which is `until`.
  std::optional<Ticks100ns> since{};
  Ticks100ns until{};
};

struct RecordingQuery {
  Ticks100ns since{};  // before `until`
  Ticks100ns until{};
  std::vector<std::string> countersets{};  // as configured; empty: all
  bool scrub = false;
};

inline constexpr std::size_t kMostLeaders = 1'000;
inline constexpr std::int64_t kMostStepsAsked = 10'000;

[[nodiscard]] std::expected<RangeQuery, Problem> range_query(const Query& parameters,
                                                             Ticks100ns now);
[[nodiscard]] std::expected<TopQuery, Problem> top_query(const Query& parameters, Ticks100ns now);
[[nodiscard]] std::expected<RecordingQuery, Problem> recording_query(const Query& parameters,
                                                                     Ticks100ns now);

// The parameter with that name, and the one that says how many. Nothing if it isn't there.
using Moment = std::expected<std::optional<Ticks100ns>, Problem>;
[[nodiscard]] Moment moment_in(const Query& parameters, const std::string& name, Ticks100ns now);
using Count = std::expected<std::optional<std::size_t>, Problem>;
[[nodiscard]] Count count_in(const Query& parameters, std::size_t most);

// Nothing if the text isn't a time.
std::optional<Ticks100ns> parse_moment(std::string_view text, Ticks100ns now);

}  // namespace winperf::api
