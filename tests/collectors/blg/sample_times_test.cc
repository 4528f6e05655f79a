#include "collectors/blg/log_index.h"

#include <gtest/gtest.h>

#include <array>

namespace winperf::blg {
namespace {

constexpr std::int64_t kSecond = 10'000'000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kLocal = 128'315'796'000'000'000;

// The sample's time less its local time, if a value in it was taken at `utc`; nothing if that is
// no UTC.
std::optional<std::int64_t> offset_told_by(std::int64_t utc) {
  SampleTimes times(std::nullopt);
  times.begin(0, kLocal);
  times.note_utc(static_cast<std::uint64_t>(utc));
  std::array<std::expected<IndexedSample, Error>, 1> samples{IndexedSample{}};
  if (!times.apply(samples)) return std::nullopt;
  return samples[0]->time.ticks - kLocal;
}

TEST(SampleTimes, OfAValueTellTheOffsetInQuartersOfAnHour) {
  for (const std::int64_t quarters : {-64, -19, -1, 0, 1, 22, 64}) {
    const std::int64_t exact = quarters * 15 * kMinute;
    for (const std::int64_t off : {-kMinute, -kSecond, std::int64_t{0}, kSecond, kMinute})
      EXPECT_EQ(offset_told_by(kLocal + exact + off), exact) << quarters << ' ' << off;
  }
}

TEST(SampleTimes, OfAValueThatNoTimeZoneExplainsTellNothing) {
  for (const std::int64_t difference : {16 * kHour + 15 * kMinute, 100 * kHour, kMinute + 1,
                                        7 * kMinute, 2 * kHour + 8 * kMinute}) {
    EXPECT_EQ(offset_told_by(kLocal + difference), std::nullopt) << difference;
    EXPECT_EQ(offset_told_by(kLocal - difference), std::nullopt) << difference;
  }
}

TEST(SampleTimes, AreUtcOnlyIfAllAre) {
  SampleTimes times(std::nullopt);
  times.begin(0, kLocal);
  times.begin(1, kLocal);
  std::array<std::expected<IndexedSample, Error>, 2> samples{IndexedSample{}, IndexedSample{}};
  EXPECT_FALSE(times.apply(samples)) << "none has a value that tells it";
  times.note_utc(kLocal - kHour);
  EXPECT_TRUE(times.apply(samples));
  for (const auto& sample : samples) EXPECT_EQ(sample->time.ticks, kLocal - kHour);
}

}  // namespace
}  // namespace winperf::blg
