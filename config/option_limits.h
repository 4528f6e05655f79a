// Numbers and words that several rows of the option tables share.
#pragma once

#include <cstdint>
#include <string_view>

#include "config/options.h"

namespace winperf {

inline constexpr std::int64_t kSecond = 1000;
inline constexpr std::int64_t kMinute = 60 * kSecond;
inline constexpr std::int64_t kHour = 60 * kMinute;
inline constexpr std::int64_t kNinetyDays = 90 * 24 * kHour;
inline constexpr std::int64_t kMib = std::int64_t{1024} * 1024;
inline constexpr std::int64_t kGib = 1024 * kMib;

inline constexpr std::string_view kIntervalFloor =
    "Microsoft's guidance for collecting performance data sets this minimum";

constexpr Choice choice_of(CounterPath path) { return {name_of(path), path}; }
inline constexpr Choice kPaths[] = {choice_of(CounterPath::kAuto),
                                    choice_of(CounterPath::kRegistry),
                                    choice_of(CounterPath::kPerflib)};

}  // namespace winperf
