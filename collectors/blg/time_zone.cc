#include "collectors/blg/time_zone.h"

#include "collectors/blg/format.h"
#include "collectors/wire/byte_view.h"

namespace winperf::blg {
namespace {

using std::chrono::local_days;
using std::chrono::milliseconds;
using LocalTime = std::chrono::local_time<milliseconds>;

// The first event, which is the system's, has a header of 32 bytes and no type.
constexpr std::size_t kEventFlagsAt = 3;
constexpr std::size_t kEventTypeAt = 6;
constexpr std::uint8_t kSystemFlags = 0xC0;
constexpr std::size_t kPointerBytesAt = 32 + 44;
constexpr std::size_t kPointersAt = 32 + 56;  // two of them, then the time zone

// In TIME_ZONE_INFORMATION.
constexpr std::size_t kStandardAt = 68;
constexpr std::size_t kStandardBiasAt = 84;
constexpr std::size_t kDaylightAt = 152;
constexpr std::size_t kDaylightBiasAt = 168;
constexpr std::size_t kTimeZoneInformationBytes = 172;

// FILETIMEs count from 1601.
constexpr local_days kFirstDay{std::chrono::year{1601} / std::chrono::January / 1};
constexpr std::uint64_t kTicksPerMillisecond = 10'000;
// Behind it there is no year with four digits.
constexpr std::uint64_t kLatestTime = 2'650'467'744'000'000'000;

std::chrono::minutes minutes_at(const ByteView& zone, std::size_t at) {
  return std::chrono::minutes(zone.get<std::int32_t>(at));
}

// SYSTEMTIME: eight numbers of 16 bits.
Changeover changeover_at(const ByteView& zone, std::size_t at) {
  const auto field = [&](std::size_t n) { return zone.get<std::uint16_t>(at + 2 * n); };
  return {.year = field(0),
          .month = field(1),
          .weekday = field(2),
          .day = field(3),
          .time = std::chrono::hours(field(4)) + std::chrono::minutes(field(5)) +
                  std::chrono::seconds(field(6)) + milliseconds(field(7))};
}

// In the year; nothing where there is no such day.
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
  const auto event = ByteView(bytes, "log.trace_header").from(kBufferHeaderBytes, "log.event");
  if (!event || !event->holds<std::uint32_t>(kPointerBytesAt)) return std::nullopt;
  const auto pointer_bytes = event->get<std::uint32_t>(kPointerBytesAt);
  if ((event->get<std::uint8_t>(kEventFlagsAt) & kSystemFlags) != kSystemFlags ||
      event->get<std::uint16_t>(kEventTypeAt) != 0 || (pointer_bytes != 4 && pointer_bytes != 8))
    return std::nullopt;
  const auto zone = event->slice(kPointersAt + std::size_t{2} * pointer_bytes,
                                 kTimeZoneInformationBytes, "log.time_zone");
  if (!zone) return std::nullopt;
  return TimeZone{.bias = minutes_at(*zone, 0),
                  .standard_bias = minutes_at(*zone, kStandardBiasAt),
                  .daylight_bias = minutes_at(*zone, kDaylightBiasAt),
                  .standard = changeover_at(*zone, kStandardAt),
                  .daylight = changeover_at(*zone, kDaylightAt)};
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
