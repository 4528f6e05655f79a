// What one value may be: between our readings, or moving; and which numbers may differ for a known
// reason, and which may not.
#include "collectors/pdh/pdh_cell.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "collectors/pdh/pdh_status.h"

namespace winperf::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::int64_t kSecond = 10'000'000;
constexpr std::int64_t kStart = 133'716'612'800'000'000;

class PdhCellTest : public ::testing::Test {
 protected:
  // A counter of the type that is at `first` at the first moment and at `second` a second later;
  // PDH says the same, and `number`.
  void set(std::uint32_t type, std::uint64_t first, std::uint64_t second, double number,
           std::uint64_t first_base = 0, std::uint64_t second_base = 0) {
    counter_.name = "a";
    counter_.type = CounterType{type};
    const CounterTypeInfo info = counter_.info();
    counter_.size = info.raw_bytes;
    counter_.has_base = info.base != BaseKind::kNone;
    counter_.base_size = 4;
    for (std::size_t i = 0; i < 2; ++i) {
      const std::int64_t time = kStart + static_cast<std::int64_t>(i) * kSecond;
      const std::uint64_t value = i == 0 ? first : second;
      const std::uint64_t base = i == 0 ? first_base : second_base;
      const OurReading ours{.value = value,
                            .base = base,
                            .clocks = {.perf_time = {time},
                                       .perf_frequency = {kSecond},
                                       .time_100ns = {time},
                                       .object_time = {time},
                                       .object_frequency = {kSecond}}};
      const bool is_time = info.base == BaseKind::kNone || info.base == BaseKind::kMulti;
      moments_[i] = {.before = ours,
                     .after = ours,
                     .raw = PdhRaw{.first = static_cast<std::int64_t>(value),
                                   .second = is_time ? time : static_cast<std::int64_t>(base),
                                   .multi_count = static_cast<std::uint32_t>(base),
                                   .local_time = time - 8 * 3600 * kSecond},
                     .number = {}};
    }
    moments_[1].number = PdhNumber{.value = number};
  }

  CellVerdict judge() const {
    return judge_cell({.counter = counter_,
                       .widths = {.bytes = counter_.size,
                                  .base_bytes = counter_.has_base ? counter_.base_size : 0},
                       .time_base = time_base_,
                       .moments = moments_});
  }
  std::vector<std::string> found() const {
    std::vector<std::string> kinds;
    for (const CellFinding& finding : judge().findings) kinds.emplace_back(finding.what);
    return kinds;
  }
  std::string known() const {
    std::string reasons;
    for (const std::string_view reason : judge().known) reasons += std::string(reason) + '\n';
    return reasons;
  }

  std::int64_t time_base_ = kSecond;
  CounterSchema counter_;
  std::array<CellMoment, 2> moments_;
};

TEST_F(PdhCellTest, AGrowingValueLiesBetweenOurReadings) {
  set(0x10410500, 1'000, 1'500, 500);
  EXPECT_THAT(found(), IsEmpty());
  moments_[1].after->value = 1'600;
  EXPECT_THAT(found(), IsEmpty());
  moments_[1].raw->first = 1'601;
  moments_[1].number->value = 601;
  EXPECT_THAT(found(), ElementsAre("raw value", "number of the same seconds"));
  moments_[1].raw->first = 1'499;
  moments_[1].number->value = 499;
  EXPECT_THAT(found(), ElementsAre("raw value", "number of the same seconds"));
}

TEST_F(PdhCellTest, AWrapOf32BitsIsNoDifference) {
  set(0x10410400, 0xFFFF'FFF0, 0x10, 32);
  EXPECT_THAT(found(), IsEmpty());
  moments_[0].before->value = 0xFFFF'FFE0;
  moments_[0].after->value = 0x8;
  moments_[0].raw->first = 2;
  moments_[1].number->value = 14;
  EXPECT_THAT(found(), IsEmpty());
  moments_[0].raw->first = 9;
  moments_[1].number->value = 7;
  EXPECT_THAT(found(), ElementsAre("raw value", "number of the same seconds"));
}

TEST_F(PdhCellTest, AGaugeThatMovesMayBeAsFarAwayAsItMoves) {
  set(0x00010100, 100, 100, 100);
  moments_[1].after->value = 110;
  for (const std::int64_t value : {90, 105, 120}) {
    moments_[1].raw->first = value;
    moments_[1].number->value = static_cast<double>(value);
    EXPECT_THAT(found(), IsEmpty()) << value;
    EXPECT_EQ(judge().moving, value == 100 ? 0U : 1U);
  }
  for (const std::int64_t value : {89, 121, -100}) {
    moments_[1].raw->first = value;
    moments_[1].number->value = static_cast<double>(value);
    EXPECT_THAT(found(), ElementsAre("raw value")) << value;
  }
}

TEST_F(PdhCellTest, ANegativeGaugeIsRead) {
  set(0x00010100, static_cast<std::uint64_t>(-5), static_cast<std::uint64_t>(-5), -5);
  EXPECT_THAT(found(), IsEmpty());
  moments_[1].number->value = 1.8446744073709552e19;
  EXPECT_THAT(found(), ElementsAre(kNumberOfPdhRaw));
}

TEST_F(PdhCellTest, ATimeStampMayBeInAnyZone) {
  set(0x00010100, 1, 1, 1);
  for (const std::int64_t quarters : {-48, -22, -1, 0, 3, 22, 56}) {
    moments_[1].raw->local_time = kStart + kSecond + quarters * 900 * kSecond;
    EXPECT_THAT(found(), IsEmpty()) << quarters;
  }
  for (const std::int64_t seconds : {1, -1, 100, -899, 100 * 3600}) {
    moments_[1].raw->local_time = kStart + kSecond + seconds * kSecond;
    EXPECT_THAT(found(), ElementsAre("time stamp")) << seconds;
  }
}

TEST_F(PdhCellTest, AnotherDescriptionsNumberIsKnown_AndNoOther) {
  // 0.5 of a second, of four components.
  set(0x22410500, 0, 5'000'000, 12.5, 4, 4);
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(known(), "");
  moments_[1].number->value = 12.5 * kSecond;
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_THAT(known(), HasSubstr("divides by seconds"));
  moments_[1].number->value = 50;
  EXPECT_THAT(found(), ElementsAre(kNumberOfPdhRaw));
  set(0x23410500, 0, 5'000'000, 350, 4, 4);
  EXPECT_THAT(found(), IsEmpty());
  moments_[1].number->value = 87.5;
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_THAT(known(), HasSubstr("number of components"));
  moments_[1].number->value = 100;
  EXPECT_THAT(found(), ElementsAre(kNumberOfPdhRaw));
}

TEST_F(PdhCellTest, WhereNothingHappened_PdhMaySayZero) {
  set(0x40020500, 7, 7, 0, 3, 3);  // PERF_AVERAGE_BULK
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_THAT(known(), HasSubstr("nothing happened"));
  moments_[1].number = PdhNumber{.status = kPdhNegativeDenominator};
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(known(), "");
  moments_[1].number = PdhNumber{.value = 1};
  EXPECT_THAT(found(), ElementsAre(kNumberOfPdhRaw));
}

TEST_F(PdhCellTest, IdleTimeBeyondTheInterval_MayBeBelowZero) {
  constexpr std::uint64_t kLonger = 10'200'000;  // of a second
  set(0x21510500, 0, kLonger, 0);                // PERF_100NSEC_TIMER_INV
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(known(), "");
  for (const PdhNumber& number : {PdhNumber{.value = -2}, PdhNumber{.status = kPdhNegativeValue}}) {
    moments_[1].number = number;
    EXPECT_THAT(found(), IsEmpty());
    EXPECT_THAT(known(), HasSubstr("beyond the interval"));
  }
  moments_[1].number = PdhNumber{.value = -50};
  EXPECT_THAT(found(), ElementsAre(kNumberOfPdhRaw));
  moments_[1].number = PdhNumber{.status = kPdhInvalidData};
  EXPECT_THAT(found(), ElementsAre("number's status"));
  set(0x20510500, 0, 0, -2);  // PERF_100NSEC_TIMER
  EXPECT_THAT(found(), ::testing::Not(IsEmpty()));
  set(0x21510500, 0, kSecond / 2, -2);
  EXPECT_THAT(found(), ElementsAre(kNumberOfPdhRaw));
}

TEST_F(PdhCellTest, AClockWithoutFrequency_GivesPdhAnyNumber) {
  set(0x10410500, 100, 300, 200);
  EXPECT_THAT(found(), IsEmpty());
  time_base_ = 0;
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_THAT(known(), HasSubstr("no frequency"));
  moments_[1].number = PdhNumber{.status = kPdhNegativeTimeBase};
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_EQ(known(), "");
}

TEST_F(PdhCellTest, AValueThatFell_IsPdhsDecision) {
  set(0x10410500, 50, 40, 0);
  EXPECT_THAT(found(), IsEmpty());
  EXPECT_THAT(known(), HasSubstr("a value fell"));
  moments_[1].number->status = kPdhNegativeValue;
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(PdhCellTest, WhatWeHaveNoValueOf_PdhHasNoneOf) {
  set(0x00010000, 1, 1, 1);
  for (CellMoment& moment : moments_)
    moment.before->reason = moment.after->reason = NoValue::kOutOfBlock;
  EXPECT_THAT(found(), ElementsAre("status", "status"));
  EXPECT_EQ(judge().findings[0].ours, "none (out_of_block)");
  for (CellMoment& moment : moments_) moment.raw->status = kPdhInvalidData;
  EXPECT_THAT(found(), IsEmpty());
}

}  // namespace
}  // namespace winperf::testing
