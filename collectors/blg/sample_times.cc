#include "collectors/blg/sample_times.h"

#include <algorithm>

#include "collectors/blg/format.h"
#include "collectors/blg/log_index.h"
#include "collectors/blg/log_reader.h"
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

namespace {

constexpr std::int64_t kMinute = 60 * 10'000'000LL;
constexpr std::int64_t kQuarter = 15 * kMinute;
constexpr std::int64_t kMaxOffset = 16 * 60 * kMinute;  // of a time zone
// Between the times of a sample and of a value in it.
constexpr std::int64_t kMaxDifference = kMinute;

std::optional<std::int64_t> offset_between(std::uint64_t local, std::uint64_t utc) {
  if (local > kLatestTime || utc > kLatestTime) return std::nullopt;
  const auto difference = static_cast<std::int64_t>(utc) - static_cast<std::int64_t>(local);
  const std::int64_t half = difference < 0 ? -kQuarter / 2 : kQuarter / 2;
  const std::int64_t offset = (difference + half) / kQuarter * kQuarter;
  const std::int64_t rest = difference - offset;
  if (std::max(offset, -offset) > kMaxOffset || std::max(rest, -rest) > kMaxDifference)
    return std::nullopt;
  return offset;
}

}  // namespace

void SampleTimes::begin(std::size_t sample, std::uint64_t local_100ns) {
  times_.resize(sample + 1);
  times_.back() = {local_100ns, std::nullopt};
}

void SampleTimes::note_utc(std::uint64_t time_100ns) {
  Time& time = times_.back();
  if (!time.offset) time.offset = offset_between(time.local_100ns, time_100ns);
}

bool SampleTimes::apply(std::span<std::expected<IndexedSample, Error>> samples) const {
  const auto first =
      std::ranges::find_if(times_, &std::optional<std::int64_t>::has_value, &Time::offset);
  std::optional<std::int64_t> offset = first == times_.end() ? std::nullopt : first->offset;
  bool all_utc = true;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!samples[i]) continue;
    const Time& time = times_[i];
    if (time.offset) offset = time.offset;
    all_utc = all_utc && (offset || zone_);
    const std::int64_t added = offset.value_or(zone_ ? utc_offset(*zone_, time.local_100ns) : 0);
    samples[i]->time = {
        static_cast<std::int64_t>(time.local_100ns + static_cast<std::uint64_t>(added))};
  }
  return all_utc;
}

}  // namespace winperf::blg
