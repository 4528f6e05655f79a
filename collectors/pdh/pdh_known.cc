#include "collectors/pdh/pdh_known.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "collectors/base/ascii.h"
#include "collectors/pdh/pdh_status.h"

namespace winperf {
namespace {

// What another description of a type makes of our number.
struct OtherDescription {
  Formula formula;
  TimeBase time_base;  // kNone: whatever it is
  std::string_view reason;
  double (*number)(const CounterTypeInfo&, double ours, const CounterPoint& now);
};

double per_second(const CounterTypeInfo& type, double ours, const CounterPoint& now) {
  return ours * static_cast<double>(frequency_of(type.time_base, now.clocks));
}
double per_component(const CounterTypeInfo&, double ours, const CounterPoint& now) {
  return ours / static_cast<double>(now.base);
}
double of_bits(const CounterTypeInfo&, double, const CounterPoint& now) {
  return static_cast<double>(static_cast<std::int64_t>(now.value));
}

constexpr std::array kOtherDescriptions{
    OtherDescription{Formula::kMultiTimer, TimeBase::kNone,
                     "one description divides by seconds, not by ticks", per_second},
    OtherDescription{Formula::kMultiTimerInverse, TimeBase::kNone,
                     "an older description also divides by the number of components",
                     per_component},
    OtherDescription{Formula::kQueueLength, TimeBase::kObject,
                     "one description divides by seconds, not by ticks", per_second},
    OtherDescription{Formula::kDouble, TimeBase::kNone,
                     "no description of the type: PDH may take its bits for an integer", of_bits},
};

struct FollowsReader {
  std::string_view object;
  std::string_view counter;
  std::string_view reason;
};

constexpr std::array kFollowsReader{
    FollowsReader{"Thread", "Thread State",
                  "a thread runs or waits while another one reads: it depends on which one reads"},
    FollowsReader{"Thread", "Thread Wait Reason",
                  "what a thread waits for depends on which other one reads"},
};

}  // namespace

std::optional<std::string_view> known_number(const CounterTypeInfo& type, double number,
                                             const CounterPoint& now, double pdh) {
  for (const OtherDescription& other : kOtherDescriptions) {
    const bool applies = other.formula == type.formula &&
                         (other.time_base == TimeBase::kNone || other.time_base == type.time_base);
    if (!applies) continue;
    const double expected = other.number(type, number, now);
    if (std::abs(pdh - expected) <= tolerance_of(type, expected, now.base)) return other.reason;
  }
  return std::nullopt;
}

std::optional<std::string_view> known_without_ours(NoValue reason, double pdh) {
  switch (reason) {
    case NoValue::kZeroBase:
    case NoValue::kZeroInterval:
      if (pdh == 0) return "nothing happened: PDH says 0 where we have no number";
      return std::nullopt;
    case NoValue::kZeroFrequency:
      return "the clock has no frequency: PDH may take another clock's";
    case NoValue::kCounterReset:
    case NoValue::kBaseReset:
      return kKnownFall;
    case NoValue::kNotStarted:
      return "nothing was started: PDH counts from the beginning of its clock";
    case NoValue::kUnknownType:
    case NoValue::kNotNumeric:
      return "the type has no number by any description";
    case NoValue::kNoBase:
      return "the definition has no base that the type may use";
    default:
      return std::nullopt;
  }
}

std::optional<std::string_view> known_below_zero(const CounterTypeInfo& type, double number,
                                                 const CounterPoint& now, const PdhNumber& pdh) {
  constexpr double kMostPercent = 5;  // a tick of 15.6 ms of a second, and some
  if (!type.inverse || number != 0) return std::nullopt;
  const double components = type.multi ? static_cast<double>(now.base) : 1;
  const bool is_slight = is_valid_pdh(pdh.status) && pdh.value < 0 &&
                         pdh.value >= -kMostPercent * std::max(1.0, components);
  if (!is_slight && pdh.status != kPdhNegativeValue) return std::nullopt;
  return "idle time was counted beyond the interval: ours ends at 0, PDH's may be below";
}

bool ReadingProcesses::have(std::string_view shown, std::optional<std::uint64_t> id) const {
  if (id) return ids.contains(*id);
  if (name.empty()) return false;
  // "name", "name#2", "name:4711", or "name/3" of a thread.
  shown = shown.substr(0, shown.find_first_of("#:/"));
  return equal_names(shown, name);
}

std::optional<std::string_view> known_to_follow_reader(std::string_view object,
                                                       std::string_view counter) {
  const auto row = std::ranges::find_if(kFollowsReader, [&](const FollowsReader& one) {
    return equal_names(one.object, object) && equal_names(one.counter, counter);
  });
  return row == kFollowsReader.end() ? std::nullopt : std::optional(row->reason);
}

bool fell(const CounterTypeInfo& type, const CounterPoint& before, const CounterPoint& now) {
  if (!type.needs_previous) return false;
  const bool has_base = second_value_of(type) == SecondValue::kBase;
  return now.value < before.value || (has_base && now.base < before.base);
}

}  // namespace winperf
