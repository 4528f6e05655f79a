// Why a counter has no value. "No value" is an answer of its own; zero never stands for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace winperf {

enum class NoValue : std::uint8_t {
  kNone,  // there is a value
  // The raw value is known, the cooked one is not.
  kFirstSample,     // needs a second sample, or the instance is new
  kCounterReset,    // the counter went backwards further than a wrap explains
  kBaseReset,       // the base went backwards further than a wrap explains
  kZeroInterval,    // no time passed between the samples
  kClockBackwards,  // the counter's clock went backwards
  kZeroFrequency,   // the counter's clock has no frequency
  kZeroBase,        // the base, or its growth, is zero
  kNoBase,          // the type needs a base and the object defines none
  kNotStarted,      // an elapsed time without a start
  kTypeChanged,     // the counter changed its type or size between the samples
  kUnknownType,     // neither the type table nor its bits say how to cook it
  // The raw value itself is missing.
  kNotNumeric,     // text, label or histogram: there is no number
  kBadSize,        // the counter's size is neither 4 nor 8 bytes
  kOutOfBlock,     // the provider's counter block ends before the counter
  kNotDelivered,   // the counter is registered, but the provider's data does not hold it
  kNotAggregated,  // a total over instances for which the registration names no rule
};

inline constexpr std::size_t kNoValueCount = static_cast<std::size_t>(NoValue::kNotAggregated) + 1;

// Whether the raw value is known although the cooked one is not (or is: kNone).
constexpr bool has_raw(NoValue reason) { return reason < NoValue::kNotNumeric; }

// Stable snake_case name, as in JSON's "reason" and in labels; empty for kNone.
std::string_view name_of(NoValue reason);

}  // namespace winperf
