#include "collectors/blg/sample_times.h"

#include <algorithm>

#include "collectors/blg/format.h"
#include "collectors/blg/log_index.h"

namespace winperf::blg {
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
