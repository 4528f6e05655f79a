#include "collectors/blg/time_zone.h"

#include "collectors/blg/format.h"
#include "collectors/blg/trace_header.h"
#include "collectors/wire/byte_view.h"

namespace winperf::blg {
namespace {

using std::chrono::local_days;
using std::chrono::milliseconds;
using LocalTime = std::chrono::local_time<milliseconds>;

// FILETIMEs count from 1601.
constexpr local_days kFirstDay{std::chrono::year{1601} / std::chrono::January / 1};
constexpr std::uint64_t kTicksPerMillisecond = 10'000;

std::chrono::minutes minutes_at(const ByteView& zone, Field<std::int32_t> field) {
  return std::chrono::minutes(zone.get(field));
}

// `at`: of a SYSTEMTIME in the zone, whose size was proved.
Changeover changeover_at(const ByteView& zone, std::size_t at) {
  const ByteView date = *zone.slice(at, system_time::kBytes, "log.time_zone");
  return {.year = date.get(system_time::kYear),
          .month = date.get(system_time::kMonth),
          .weekday = date.get(system_time::kDayOfWeek),
          .day = date.get(system_time::kDay),
          .time = std::chrono::hours(date.get(system_time::kHour)) +
                  std::chrono::minutes(date.get(system_time::kMinute)) +
                  std::chrono::seconds(date.get(system_time::kSecond)) +
                  milliseconds(date.get(system_time::kMilliseconds))};
}

// In the given year; empty if there is no such day.
std::optional<LocalTime> moment_of(const Changeover& change, std::chrono::year year) {
  if (change.month < 1 || change.month > 12 || change.weekday > 6) return std::nullopt;
  const std::chrono::month month(change.month);
  if (change.year != 0) {
    const auto date = std::chrono::year(change.year) / month / int{change.day};
    if (std::chrono::year(change.year) != year || !date.ok()) return std::nullopt;
    return local_days(date) + change.time;
  }
  const std::chrono::weekday weekday(change.weekday);
  if (change.day == 5) return local_days(year / month / weekday[std::chrono::last]) + change.time;
  if (change.day < 1 || change.day > 5) return std::nullopt;
  return local_days(year / month / weekday[change.day]) + change.time;
}

bool in_daylight_time(const TimeZone& zone, LocalTime time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year year = std::chrono::year_month_day(day).year();
  const auto begin = moment_of(zone.daylight, year);
  const auto end = moment_of(zone.standard, year);
  if (!begin || !end) return false;
  if (*begin < *end) return *begin <= time && time < *end;
  return time < *end || *begin <= time;  // south of the equator
}

}  // namespace

std::optional<TimeZone> read_time_zone(std::span<const std::byte> bytes) {
  const auto header = TraceHeader::find(bytes);
  const auto zone = header ? header->time_zone() : std::nullopt;
  if (!zone) return std::nullopt;
  return TimeZone{.bias = minutes_at(*zone, time_zone::kBias),
                  .standard_bias = minutes_at(*zone, time_zone::kStandardBias),
                  .daylight_bias = minutes_at(*zone, time_zone::kDaylightBias),
                  .standard = changeover_at(*zone, time_zone::kStandardDate),
                  .daylight = changeover_at(*zone, time_zone::kDaylightDate)};
}

std::int64_t utc_offset(const TimeZone& zone, std::uint64_t local_100ns) {
  if (local_100ns > kLatestTime) return 0;
  const LocalTime time =
      kFirstDay + milliseconds(static_cast<std::int64_t>(local_100ns / kTicksPerMillisecond));
  const bool daylight = in_daylight_time(zone, time);
  const milliseconds offset = zone.bias + (daylight ? zone.daylight_bias : zone.standard_bias);
  return offset.count() * static_cast<std::int64_t>(kTicksPerMillisecond);
}

}  // namespace winperf::blg
