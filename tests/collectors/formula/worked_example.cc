#include "tests/collectors/formula/worked_example.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <ranges>
#include <utility>

namespace winperf::testing {
namespace {

struct Sized {
  std::uint64_t value = 0;
  std::optional<std::uint8_t> bytes;
};

std::optional<std::uint64_t> number(std::string_view text) {
  const bool hexadecimal = text.starts_with("0x");
  if (hexadecimal) text.remove_prefix(2);
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value, hexadecimal ? 16 : 10);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

std::optional<Sized> sized(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto value = number(text.substr(0, colon));
  if (!value) return std::nullopt;
  if (colon == std::string_view::npos) return Sized{*value, std::nullopt};
  const auto bytes = number(text.substr(colon + 1));
  if (bytes != 4U && bytes != 8U) return std::nullopt;
  return Sized{*value, static_cast<std::uint8_t>(*bytes)};
}

std::uint8_t base_bytes(const CounterTypeInfo& type) {
  const bool four = type.base == BaseKind::kSample || type.base == BaseKind::kAverage;
  return four ? std::uint8_t{4} : type.raw_bytes;
}

// The clocks of other types stand still, so that a formula that reads one of them is found out.
void set_clock(const CounterTypeInfo& type, std::int64_t time, std::int64_t frequency,
               Clocks& clocks) {
  clocks = {{5}, {3}, {5}, {5}, {3}};
  if (type.time_base == TimeBase::kPerf) clocks.perf_time = {time};
  if (type.time_base == TimeBase::kPerf) clocks.perf_frequency = {frequency};
  if (type.time_base == TimeBase::k100ns) clocks.time_100ns = {time};
  if (type.time_base == TimeBase::kObject) clocks.object_time = {time};
  if (type.time_base == TimeBase::kObject) clocks.object_frequency = {frequency};
}

std::optional<Measurement> parse_reading(const CounterTypeInfo& type, std::string_view text) {
  if (text.empty()) return std::nullopt;
  Measurement reading;
  Observation& seen = reading.observation;
  std::int64_t time = 0;
  std::int64_t frequency = 10'000'000;
  for (const auto part : std::views::split(text, ' ')) {
    const std::string_view token(part.begin(), part.end());
    if (token.size() < 3 || token[1] != '=') return std::nullopt;
    const auto value = sized(token.substr(2));
    if (!value) return std::nullopt;
    if (token[0] == 'N') {
      seen.value = value->value;
      seen.value_bytes = value->bytes.value_or(type.raw_bytes);
    } else if (token[0] == 'B') {
      seen.base = value->value;
      seen.base_bytes = value->bytes.value_or(base_bytes(type));
    } else if (token[0] == 'T') {
      time = static_cast<std::int64_t>(value->value);
    } else if (token[0] == 'F') {
      frequency = static_cast<std::int64_t>(value->value);
    } else {
      return std::nullopt;
    }
  }
  set_clock(type, time, frequency, reading.clocks);
  return reading;
}

std::optional<std::expected<double, NoValue>> parse_result(std::string_view text) {
  for (std::size_t i = 1; i < kNoValueCount; ++i) {
    const auto reason = static_cast<NoValue>(i);
    if (name_of(reason) == text) return std::unexpected(reason);
  }
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || *end != '\0') return std::nullopt;
  return value;
}

}  // namespace

std::optional<WorkedExample> parse_example(std::string name, CounterType type,
                                           std::string_view before, std::string_view now,
                                           std::string_view result) {
  const CounterTypeInfo info = describe(type);
  const auto older = before == "-" ? std::nullopt : parse_reading(info, before);
  const auto newer = parse_reading(info, now);
  const auto expected = parse_result(result);
  if ((before != "-" && !older) || !newer || !expected) return std::nullopt;
  return WorkedExample{std::move(name), type, older, *newer, *expected};
}

std::expected<double, NoValue> cook(const WorkedExample& example, const CellOptions& options) {
  return cook(describe(example.type), example.before, example.now, options);
}

void expect_result(const WorkedExample& example) {
  const auto value = cook(example);
  const std::string where = example.name + ", " + to_string(example.type);
  if (!example.result) {
    ASSERT_FALSE(value) << where << ": " << *value << " instead of no value";
    EXPECT_EQ(name_of(value.error()), name_of(example.result.error())) << where;
    return;
  }
  ASSERT_TRUE(value) << where << ": no value, " << name_of(value.error());
  const double tolerance = 1e-9 * std::max(1.0, std::abs(*example.result));
  EXPECT_NEAR(*value, *example.result, tolerance) << where;
}

std::optional<CounterType> type_named(std::string_view name) {
  for (const CounterTypeInfo& info : known_counter_types())
    if (info.name == name) return info.type;
  return std::nullopt;
}

}  // namespace winperf::testing
