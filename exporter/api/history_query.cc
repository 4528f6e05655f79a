#include "exporter/api/history_query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "collectors/base/wording.h"
#include "config/quantity.h"

namespace winperf::api {
namespace {

constexpr std::int64_t kTicksPerMs = kTicks100nsPerSecond / 1'000;
constexpr std::chrono::minutes kUsualRange{15};  // every sample is kept for that long
constexpr std::string_view kMoment =
    "must be a time such as 2026-11-28T02:00:00Z, seconds since 1970, or how long ago, such as 1h";

std::optional<Ticks100ns> from_unix(std::int64_t seconds, std::int64_t ticks) {
  constexpr std::int64_t kYear10000 = 253'402'300'800;
  if (seconds < 0 || seconds >= kYear10000) return std::nullopt;
  return Ticks100ns{kUnixEpoch100ns + seconds * kTicks100nsPerSecond + ticks};
}

// Takes texts apart from the front.
class MomentReader {
 public:
  explicit MomentReader(std::string_view text) : text_(text) {}

  bool is_done() const { return text_.empty(); }
  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  // Nothing unless there are between `least` and `most` digits.
  std::optional<std::int64_t> digits(std::size_t least, std::size_t most) {
    const std::size_t end = std::min(text_.find_first_not_of("0123456789"), text_.size());
    std::int64_t number = 0;
    if (end < least || end > most ||
        std::from_chars(text_.data(), text_.data() + end, number).ec != std::errc())
      return std::nullopt;
    text_.remove_prefix(end);
    return number;
  }
  // ".5", in 100 ns; 0 if there is none.
  std::optional<std::int64_t> fraction() {
    if (!take('.')) return 0;
    constexpr std::size_t kMostDigits = 18;
    constexpr std::size_t kKept = 7;
    const std::size_t before = text_.size();
    auto number = digits(1, kMostDigits);
    if (!number) return std::nullopt;
    for (std::size_t i = before - text_.size(); i > kKept; --i) *number /= 10;
    for (std::size_t i = before - text_.size(); i < kKept; ++i) *number *= 10;
    return number;
  }

 private:
  std::string_view text_;
};

std::optional<Ticks100ns> parse_unix(std::string_view text) {
  constexpr std::size_t kMostDigits = 12;
  MomentReader reader(text);
  const auto seconds = reader.digits(1, kMostDigits);
  const auto ticks = reader.fraction();
  if (!seconds || !ticks || !reader.is_done()) return std::nullopt;
  return from_unix(*seconds, *ticks);
}

// Of "+01:30" or "Z", in seconds.
std::optional<std::int64_t> read_zone(MomentReader& reader) {
  if (reader.take('Z')) return 0;
  const bool is_east = reader.take('+');
  if (!is_east && !reader.take('-')) return std::nullopt;
  const auto hours = reader.digits(2, 2);
  const auto minutes = reader.take(':') ? reader.digits(2, 2) : std::nullopt;
  if (!hours || !minutes || *hours > 23 || *minutes > 59) return std::nullopt;
  return (*hours * 3'600 + *minutes * 60) * (is_east ? 1 : -1);
}

std::optional<Ticks100ns> parse_rfc3339(std::string_view text) {
  MomentReader reader(text);
  std::array<std::int64_t, 6> part{};
  constexpr std::string_view kBefore = " --T::";
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (i != 0 && !reader.take(kBefore[i])) return std::nullopt;
    const auto number = i == 0 ? reader.digits(4, 4) : reader.digits(2, 2);
    if (!number) return std::nullopt;
    part.at(i) = *number;
  }
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(part[0])),
                                         std::chrono::month(static_cast<unsigned>(part[1])),
                                         std::chrono::day(static_cast<unsigned>(part[2])));
  const auto ticks = reader.fraction();
  const auto zone = read_zone(reader);
  if (!date.ok() || part[3] > 23 || part[4] > 59 || part[5] > 60 || !ticks || !zone ||
      !reader.is_done())
    return std::nullopt;
  const std::int64_t day = std::chrono::sys_days(date).time_since_epoch().count();
  return from_unix(day * 86'400 + part[3] * 3'600 + part[4] * 60 + part[5] - *zone, *ticks);
}

std::unexpected<Problem> wrong(std::string_view parameter, std::string_view what) {
  return std::unexpected(wrong_parameter(parameter, what));
}

using Step = std::expected<std::optional<std::chrono::milliseconds>, Problem>;

Step step_in(const Query& parameters, std::int64_t length_ms) {
  const auto text = value_of(parameters, "step");
  if (!text) return std::nullopt;
  const auto step = parse_duration_ms(*text);
  if (!step || *step < 1'000)
    return wrong("step", "must be a duration of at least 1s, such as 1m, not " + in_quotes(*text));
  if (length_ms / *step > kMostStepsAsked)
    return wrong("step", "must be longer: between since and until are more than " +
                             std::to_string(kMostStepsAsked) + " steps");
  return std::chrono::milliseconds(*step);
}

std::optional<Problem> combined_with_at(const Query& parameters,
                                        std::initializer_list<const char*> names) {
  if (!parameters.contains("at")) return std::nullopt;
  for (const char* const name : names)
    if (parameters.contains(name)) return wrong_parameter(name, "cannot be combined with at");
  return std::nullopt;
}

// That they are a moment or a span.
std::optional<Problem> check_times_of_top(const Query& parameters) {
  if (auto refusal = combined_with_at(parameters, {"since", "until"})) return refusal;
  if (parameters.contains("until") && !parameters.contains("since"))
    return wrong_parameter("until", "needs since; for a moment use at");
  return std::nullopt;
}

}  // namespace

std::optional<Ticks100ns> parse_moment(std::string_view text, Ticks100ns now) {
  if (const auto time = parse_unix(text)) return time;
  if (const auto time = parse_rfc3339(text)) return time;
  const auto ago = parse_duration_ms(text);
  if (!ago || *ago > now.ticks / kTicksPerMs) return std::nullopt;
  return Ticks100ns{now.ticks - *ago * kTicksPerMs};
}

Moment moment_in(const Query& parameters, const std::string& name, Ticks100ns now) {
  const auto text = value_of(parameters, name);
  if (!text) return std::nullopt;
  const auto moment = parse_moment(*text, now);
  if (!moment) return wrong(name, std::string(kMoment) + ", not " + in_quotes(*text));
  return moment;
}

Count count_in(const Query& parameters, std::size_t most) {
  const auto text = value_of(parameters, "n");
  if (!text) return std::nullopt;
  const auto count = parse_integer(*text);
  if (!count || *count < 1 || std::cmp_greater(*count, most))
    return wrong("n", "must be a whole number from 1 to " + std::to_string(most) + ", not " +
                          in_quotes(*text));
  return static_cast<std::size_t>(*count);
}

std::expected<RangeQuery, Problem> range_query(const Query& parameters, Ticks100ns now) {
  RangeQuery query;
  query.paths = values_of(parameters, "path");
  if (query.paths.empty())
    return wrong("path", "is needed: a perfmon path such as \\Memory\\Available Bytes");
  if (const auto refusal = combined_with_at(parameters, {"since", "until", "step"}))
    return std::unexpected(*refusal);
  const auto as_columns = wants_columns(parameters);
  if (!as_columns) return std::unexpected(as_columns.error());
  query.as_columns = *as_columns;
  const bool is_moment = parameters.contains("at");
  const auto until = moment_in(parameters, is_moment ? "at" : "until", now);
  if (!until) return std::unexpected(until.error());
  query.until = std::min(until->value_or(now), now);
  if (is_moment) return query;
  const auto since = moment_in(parameters, "since", now);
  if (!since) return std::unexpected(since.error());
  constexpr std::chrono::milliseconds kUsual = kUsualRange;
  query.since = since->value_or(Ticks100ns{query.until.ticks - kUsual.count() * kTicksPerMs});
  if (*query.since >= query.until) return wrong("since", "must be before until");
  const auto step = step_in(parameters, (query.until.ticks - query.since->ticks) / kTicksPerMs);
  if (!step) return std::unexpected(step.error());
  query.step = *step;
  return query;
}

std::expected<TopQuery, Problem> top_query(const Query& parameters, Ticks100ns now) {
  if (const auto refusal = check_times_of_top(parameters)) return std::unexpected(*refusal);
  TopQuery query;
  query.counter = value_of(parameters, "counter").value_or(query.counter);
  const auto count = count_in(parameters, kMostLeaders);
  if (!count) return std::unexpected(count.error());
  query.count = count->value_or(query.count);
  const auto until = moment_in(parameters, parameters.contains("at") ? "at" : "until", now);
  if (!until) return std::unexpected(until.error());
  query.until = std::min(until->value_or(now), now);
  const auto since = moment_in(parameters, "since", now);
  if (!since) return std::unexpected(since.error());
  query.since = *since;
  if (query.since && *query.since >= query.until) return wrong("since", "must be before until");
  return query;
}

std::expected<RecordingQuery, Problem> recording_query(const Query& parameters, Ticks100ns now) {
  // As far back as there is a sample a minute.
  constexpr std::chrono::milliseconds kUsual = std::chrono::hours(2);
  RecordingQuery query{.countersets = values_of(parameters, "counterset")};
  const auto until = moment_in(parameters, "until", now);
  if (!until) return std::unexpected(until.error());
  query.until = std::min(until->value_or(now), now);
  const auto since = moment_in(parameters, "since", now);
  if (!since) return std::unexpected(since.error());
  query.since = since->value_or(Ticks100ns{query.until.ticks - kUsual.count() * kTicksPerMs});
  if (query.since >= query.until) return wrong("since", "must be before until");
  const std::string scrub = value_of(parameters, "scrub").value_or("false");
  if (scrub != "true" && scrub != "false")
    return wrong("scrub", "must be true or false, not " + in_quotes(scrub));
  query.scrub = scrub == "true";
  return query;
}

}  // namespace winperf::api
