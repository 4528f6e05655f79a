#include "collectors/facts/windows_times.h"

#include <cmath>

#include "collectors/base/clock.h"

namespace winperf {
namespace {

constexpr auto kUnixEpoch = static_cast<std::uint64_t>(kUnixEpoch100ns);
constexpr auto kUnitsPerSecond = static_cast<std::uint64_t>(kTicks100nsPerSecond);
constexpr std::uint64_t kLastFileTime = 2'650'467'743'990'000'000;  // 31 December 9999, 23:59:59
constexpr double kFirstDate = 36'526;                               // 1 January 2000
constexpr double kEndOfDates = 2'958'466;                           // 1 January 10000
constexpr std::uint64_t kSecondsPerDay = 86'400;
constexpr std::uint64_t kFileTimeEpochDays = 109'205;  // from 1 January 1601 to 30 December 1899

}  // namespace

std::optional<double> unix_seconds(std::uint64_t file_time) {
  if (file_time <= kUnixEpoch || file_time > kLastFileTime) return std::nullopt;
  return unix_seconds(Ticks100ns{static_cast<std::int64_t>(file_time)});
}

std::optional<std::uint64_t> file_time_of_date(double days) {
  if (!(days >= kFirstDate && days < kEndOfDates)) return std::nullopt;  // not a number neither
  const auto seconds =
      static_cast<std::uint64_t>(std::llround(days * static_cast<double>(kSecondsPerDay)));
  return (seconds + kFileTimeEpochDays * kSecondsPerDay) * kUnitsPerSecond;
}

}  // namespace winperf
