// Why a counter has no value. "No value" is an answer of its own, never represented by zero.
// Thread rule: values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace winperf {

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
  kMarkedUnknown,   // the number is the mark that drivers set for what they don't know
  // The raw value itself is missing.
  kNotNumeric,     // text, label or histogram: there is no number
  kBadSize,        // the counter's size is neither 4 nor 8 bytes
  kOutOfBlock,     // the provider's counter block ends before the counter
  kNotDelivered,   // the counter is registered, but missing from the provider's data
  kNotAggregated,  // a total over instances, for which the registration has no rule
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
                                                               "not_numeric",
                                                               "bad_size",
                                                               "out_of_block",
                                                               "not_delivered",
                                                               "not_aggregated"};
  return kNames.at(static_cast<std::size_t>(reason));
}

}  // namespace winperf
