// The one table of counter types. Everything that depends on a counter's type looks it up here: how
// the counter is cooked, on which clock, with which base, and how it becomes a Prometheus metric.
// A type that is not in the table is described by its bit fields: it is cooked like the type that
// differs from it only in size, clock or display; reserved bits make it unknown.
// Thread rule: any thread.
// Source: winperf.h (bit fields and PERF_* values); docs/counter-types.md is checked against it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace winperf {

// PERF_COUNTER_DEFINITION.CounterType, as delivered.
enum class CounterType : std::uint32_t {};
constexpr std::uint32_t value_of(CounterType type) { return static_cast<std::uint32_t>(type); }

// N: the counter, B: its base, T: its clock, F: the clock's frequency; 0: the older sample, 1: the
// newer one.
enum class Formula : std::uint8_t {
  kNone,               // base, text, label, histogram: nothing to cook
  kRaw,                // N1
  kDouble,             // N1 as the bits of an IEEE double
  kDelta,              // N1-N0
  kRate,               // (N1-N0) / ((T1-T0)/F)
  kQueueLength,        // (N1-N0) / (T1-T0)
  kRawFraction,        // 100 * N1/B1
  kSampleFraction,     // 100 * (N1-N0) / (B1-B0)
  kTimer,              // 100 * (N1-N0) / (T1-T0)
  kTimerInverse,       // 100 * (1 - (N1-N0)/(T1-T0)), not below 0
  kMultiTimer,         // 100 * ((N1-N0)/(T1-T0)) / B1
  kMultiTimerInverse,  // 100 * (B1 - (N1-N0)/(T1-T0)), not below 0
  kAverageTimer,       // ((N1-N0)/F) / (B1-B0)
  kAverageBulk,        // (N1-N0) / (B1-B0)
  kElapsed,            // (T1-N1) / F
  kPrecision,          // 100 * (N1-N0) / (B1-B0)
};

inline constexpr std::size_t kFormulaCount = static_cast<std::size_t>(Formula::kPrecision) + 1;

enum class TimeBase : std::uint8_t { kNone, kPerf, k100ns, kObject };

// Which kind of base definition must follow the counter (V1) or be named by it (V2).
enum class BaseKind : std::uint8_t { kNone, kSample, kAverage, kRaw, kMulti };

// How the raw value is exposed: nothing, a gauge, or a monotonic counter.
enum class Exposition : std::uint8_t { kNone, kGauge, kCounter };

// The raw value's unit according to its type alone (its name may say more, such as "Bytes").
enum class RawUnit : std::uint8_t {
  kNumber,           // as it is
  kTicksOfTimeBase,  // ticks of `time_base`: divide by that clock's frequency to get seconds
  kPerfTicks,        // ticks of PerfTime whatever the time base (PERF_AVERAGE_TIMER)
  kRatio,            // numerator of N/B: exposed as a ratio 0..1
  kStartTime,        // a point in time in ticks of `time_base` (PERF_ELAPSED_TIME)
};

struct CounterTypeInfo {
  CounterType type{};
  std::string_view name;  // "PERF_COUNTER_COUNTER"; empty for a type that is not in the table
  std::uint8_t raw_bytes =
      0;  // according to the type: 4 or 8; 0: none or variable. CounterSize decides.
  Formula formula = Formula::kNone;
  TimeBase time_base = TimeBase::kNone;
  BaseKind base = BaseKind::kNone;  // the base it needs
  bool is_base = false;             // it is a base itself
  bool needs_previous = false;      // two samples
  bool percent = false;             // the cooked value is a percentage
  bool inverse = false;             // counts the complement (idle time) of what the name says
  bool multi = false;               // several components, with the extra raw value
  std::string_view suffix;          // perfmon's display suffix: "/sec", "%", "secs", ""
  Exposition exposition = Exposition::kNone;
  RawUnit unit = RawUnit::kNumber;
};

// Whether the raw data is a number: the size bits ZERO (0x200) and VARIABLE (0x300) and the kinds
// TEXT (0x800) and ZERO (0xC00) have the upper bit of their pair set.
constexpr bool is_numeric(CounterType type) { return (value_of(type) & 0xA00) == 0; }

// Whether the raw data is shown in hexadecimal (PERF_TYPE_NUMBER with PERF_NUMBER_HEX): flags or an
// address rather than an amount.
constexpr bool is_hexadecimal(CounterType type) { return (value_of(type) & 0x000F'0C00) == 0; }

// All rows of the table, ordered by value.
std::span<const CounterTypeInfo> known_counter_types();

// The table's row, or the meaning of an unknown type's bit fields: then `name` is empty.
CounterTypeInfo describe(CounterType type);

// "PERF_COUNTER_COUNTER", or "0x12345678" for a type that is not in the table.
std::string to_string(CounterType type);

// The formula as printed in documentation: "(N1-N0) / ((T1-T0)/F)"; empty for kNone.
std::string_view text_of(Formula formula);

// Whether a definition of type `base` can be the base of a counter that needs `needed`. Accepts
// both values of PERF_LARGE_RAW_BASE that are in use.
bool is_base_of(BaseKind needed, CounterType base);

}  // namespace winperf
