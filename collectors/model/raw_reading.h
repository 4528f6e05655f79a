// How the raw value of a counter is read: whether it is signed, and which values mean "unknown".
// The type decides, as PDH does: 8-byte raw counts are signed (two's complement), 4-byte ones
// aren't, hexadecimal numbers (flags, addresses) never are. Known exceptions are rows of one table,
// which is looked up when a schema is created, so that readers of values need no names. Thread
// rule: pure functions. Source: winperf.h (PERF_NUMBER_HEX); PDH_FMT_LARGE and PDH_RAW_COUNTER are
// LONGLONG (pdh.h); the rows of the table name their own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "collectors/model/counter_type.h"

namespace winperf {

// What a counter's name adds to its type.
struct RawReading {
  bool is_signed = false;                // also if it has 4 bytes
  std::vector<std::uint64_t> unknown{};  // raw values, zero-extended, that mean "unknown"
  bool operator==(const RawReading&) const = default;
};

// One row of the table. `source` is the reference for it.
struct KnownReading {
  enum class Fact : std::uint8_t { kUnknown, kSigned };
  std::string_view object;  // English names, whatever their case
  std::string_view counter;
  std::uint8_t bytes = 0;  // 4 or 8: of counters with this width
  Fact fact = Fact::kUnknown;
  std::uint64_t value = 0;  // of kUnknown: the raw number, zero-extended
  std::string_view source;
};
std::span<const KnownReading> known_readings();

// The reading of a counter by its English names; default if it has no row.
RawReading reading_of(std::string_view object, std::string_view counter, std::uint32_t bytes);

// Whether numbers of this width have a sign.
inline bool is_signed(const CounterTypeInfo& type, const RawReading& reading, std::uint32_t bytes) {
  if (type.formula != Formula::kRaw || is_hexadecimal(type.type)) return false;
  return bytes == sizeof(std::uint64_t) || (bytes == sizeof(std::uint32_t) && reading.is_signed);
}

// The value of a raw count, if it is negative. `raw` is zero-extended from `bytes`.
inline std::optional<std::int64_t> negative_of(const CounterTypeInfo& type,
                                               const RawReading& reading, std::uint64_t raw,
                                               std::uint32_t bytes) {
  if (!is_signed(type, reading, bytes)) return std::nullopt;
  const std::int64_t number = bytes == sizeof raw
                                  ? static_cast<std::int64_t>(raw)
                                  : static_cast<std::int32_t>(static_cast<std::uint32_t>(raw));
  return number < 0 ? std::optional(number) : std::nullopt;
}

// Why a counter has no value, which is never reported as zero. Thread rule: values.
enum class NoValue : std::uint8_t {
  kNone,  // there is a value
  // The raw value is known, but not the cooked one.
  kFirstSample,     // it needs a second sample, or the instance is new
  kCounterReset,    // the counter went backwards further than a wrap explains
  kBaseReset,       // the base went backwards further than a wrap explains
  kZeroInterval,    // no time passed between the samples
  kClockBackwards,  // the counter's clock went backwards
  kZeroFrequency,   // the counter's clock has no frequency
  kZeroBase,        // the base, or its growth, is zero
  kNoBase,          // the type needs a base and the object defines none
  kNotStarted,      // an elapsed time without a start time
  kTypeChanged,     // the counter's type or size changed between the samples
  kUnknownType,     // neither the type table nor the type's bits say how to cook it
  kMarkedUnknown,   // the value means "unknown" to the driver
  kGap,             // samples are missing between the two (only of recorded samples)
  // The raw value itself is missing.
  kNotNumeric,     // text, label or histogram: there is no number
  kBadSize,        // the counter's size is neither 4 nor 8 bytes
  kOutOfBlock,     // the provider's counter block ends before the counter
  kNotDelivered,   // the counter is registered, but missing from the provider's data
  kNotAggregated,  // a total over instances without an aggregation rule in the registration
};

inline constexpr std::size_t kNoValueCount = static_cast<std::size_t>(NoValue::kNotAggregated) + 1;

// Whether the raw value is known, even if the cooked one isn't.
constexpr bool has_raw(NoValue reason) { return reason < NoValue::kNotNumeric; }

// Stable snake_case name, as in JSON's "reason" and in labels; empty for kNone.
constexpr std::string_view name_of(NoValue reason) {
  // In the order of NoValue, which a test checks.
  constexpr std::array<std::string_view, kNoValueCount> kNames{"",
                                                               "first_sample",
                                                               "counter_reset",
                                                               "base_reset",
                                                               "zero_interval",
                                                               "clock_backwards",
                                                               "zero_frequency",
                                                               "zero_base",
                                                               "no_base",
                                                               "not_started",
                                                               "type_changed",
                                                               "unknown_type",
                                                               "marked_unknown",
                                                               "gap",
                                                               "not_numeric",
                                                               "bad_size",
                                                               "out_of_block",
                                                               "not_delivered",
                                                               "not_aggregated"};
  return kNames.at(static_cast<std::size_t>(reason));
}

}  // namespace winperf
