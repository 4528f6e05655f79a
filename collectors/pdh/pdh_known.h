// What PDH is known to do differently, or may do because documents disagree: each with its reason,
// so that a comparison counts it and doesn't pass over it.
//
// Thread rule: pure functions. Source: docs/counter-types.md (Decisions, Microsoft's numbers);
// tests/formula_pdh.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "collectors/model/counter_type.h"
#include "collectors/model/raw_reading.h"
#include "collectors/pdh/pdh_cook.h"

namespace winperf {

// PDH's valid number where ours has another value: the reason, if PDH's is what another description
// of the type demands of the same raw values. `number`: ours, of `now`, whose clocks have PDH's
// time base.
[[nodiscard]] std::optional<std::string_view> known_number(const CounterTypeInfo& type,
                                                           double number, const CounterPoint& now,
                                                           double pdh);

// PDH's valid number where we have none because of `reason`.
[[nodiscard]] std::optional<std::string_view> known_without_ours(NoValue reason, double pdh);

// PDH's answer where a timer of idle time, of `now`, has counted more than the interval, so that
// ours, which is never negative, is 0: a number of at most a few percent below it, or
// PDH_CALC_NEGATIVE_VALUE.
[[nodiscard]] std::optional<std::string_view> known_below_zero(const CounterTypeInfo& type,
                                                               double number,
                                                               const CounterPoint& now,
                                                               const PdhNumber& pdh);

// Whether it is PDH's decision if a pair whose value or base fell has a number.
[[nodiscard]] bool fell(const CounterTypeInfo& type, const CounterPoint& before,
                        const CounterPoint& now);
inline constexpr std::string_view kKnownFall =
    "a value fell: whether PDH takes that for a wrap depends on more than its raw values";

// The processes that read, on either side: what is counted of them differs with who reads when.
struct ReadingProcesses {
  std::set<std::uint64_t> ids{};
  std::string name{};  // of their executable, as objects without process ids call it; may be empty

  // `shown`: as perfmon shows the instance. `id`: of its process, if the object says.
  bool have(std::string_view shown, std::optional<std::uint64_t> id) const;
};
inline constexpr std::string_view kKnownReader = "the process that reads is read itself";

// Counters whose values depend on which thread reads, whoever's they are: the reason.
[[nodiscard]] std::optional<std::string_view> known_to_follow_reader(std::string_view object,
                                                                     std::string_view counter);

}  // namespace winperf
