#include "collectors/sampling/sample_chain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/sampling/raw_sample.h"
#include "tests/support/sample_arrays.h"

namespace winperf {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace winperf::testing;

class SampleChainTest : public ::testing::Test {
 protected:
  std::shared_ptr<const CountersetSample> append(std::shared_ptr<CountersetSample> raw) {
    return chain_.append(std::move(raw), {.cook = options_});
  }
  // A sample of the instances with one counter each.
  std::shared_ptr<const CountersetSample> append(const Column& column,
                                                 const std::vector<std::string>& names,
                                                 std::vector<std::uint64_t> values,
                                                 std::int64_t second) {
    auto raw =
        make_raw_sample(schema_of({column}, true), instances_named(names), at_second(second));
    raw->raw = std::move(values);
    return append(std::move(raw));
  }

  SampleChain chain_;
  CookOptions options_;
};

TEST(MakeRawSample, HasACellForEachRowAndColumn) {
  const auto schema = schema_of({{.index = 1}, {.index = 2}}, true);
  for (const std::vector<std::string>& names :
       {std::vector<std::string>{}, {"a"}, {"a", "b"}, {"a", "b", "c"}}) {
    const auto sample = make_raw_sample(schema, instances_named(names), at_second(7));
    const std::size_t cells = 2 * names.size();
    EXPECT_EQ(sample->raw, std::vector<std::uint64_t>(cells));
    EXPECT_EQ(sample->cooked, std::vector<double>(cells));
    EXPECT_EQ(sample->reason, std::vector<NoValue>(cells));
    EXPECT_EQ(sample->clocks, at_second(7));
    EXPECT_THAT(sample->own_clocks, IsEmpty());
  }
  const auto one_row = make_raw_sample(schema_of({{.index = 1}, {.index = 2}}, false),
                                       instances_named({}), at_second(7));
  EXPECT_EQ(one_row->reason.size(), 2U);
}

TEST_F(SampleChainTest, TheFirstSampleHasTotalsAndNoRates) {
  const auto first = append(single({{.index = 1, .type = kRate}, {.index = 2}}, {70, 5}, 1));
  EXPECT_THAT(first->reason, ElementsAre(NoValue::kFirstSample, NoValue::kNone));
  EXPECT_THAT(totals_of(*first), ElementsAre(70, 5));
  EXPECT_EQ(first->cooked[1], 5);
}

TEST_F(SampleChainTest, EachSampleContinuesTheOneBeforeIt) {
  append(single({{.index = 1, .type = kRate}}, {0xFFFF'FFF0}, 1));
  const auto second = append(single({{.index = 1, .type = kRate}}, {0x10}, 2));
  EXPECT_EQ(second->cooked[0], 0x20);
  EXPECT_EQ(second->total_at(0), 0x1'0000'0010U);
  const auto third = append(single({{.index = 1, .type = kRate}}, {0x20}, 4));
  EXPECT_EQ(third->cooked[0], 8) << "in two seconds";
  EXPECT_EQ(third->total_at(0), 0x1'0000'0020U) << "not from the raw value";
}

TEST_F(SampleChainTest, ABasesTotalGoesOnAcrossItsWrap) {
  const std::vector<Column> average{{.index = 1, .type = kAverage, .size = 8, .base_size = 4}};
  const auto first = append(single(average, {100}, 1, {0xFFFF'FFFE}));
  EXPECT_EQ(first->base_total_at(0), 0xFFFF'FFFEU);
  const auto second = append(single(average, {130}, 2, {2}));
  EXPECT_EQ(second->cooked[0], 30 / 4.0);
  EXPECT_EQ(second->base_total_at(0), 0x1'0000'0002U);
  const auto third = append(single(average, {131}, 3, {3}));
  EXPECT_EQ(third->base_total_at(0), 0x1'0000'0003U);
}

TEST_F(SampleChainTest, WithoutABaseThatIsTheReasonWhateverTheFormulaWouldSay) {
  const std::vector<Column> columns{{.index = 1, .type = kFraction, .base_size = 4},
                                    {.index = 2, .type = kAverage, .size = 8, .base_size = 4}};
  for (std::int64_t second = 1; second <= 2; ++second) {
    auto raw = single(columns, {7, 9}, second);
    raw->reason = {NoValue::kNoBase, NoValue::kNoBase};
    const auto sample = append(std::move(raw));
    EXPECT_THAT(sample->reason, Each(NoValue::kNoBase)) << second;
    EXPECT_THAT(totals_of(*sample), ElementsAre(7, 9)) << "the value itself is known";
    EXPECT_THAT(sample->cooked, Each(0));
  }
}

TEST_F(SampleChainTest, ABaseThatWasMissingIsNotTakenForZero) {
  const std::vector<Column> average{{.index = 1, .type = kAverage, .size = 8, .base_size = 4}};
  append(single(average, {100}, 1, {0xF000'0000}));
  auto without = single(average, {130}, 2);
  without->reason[0] = NoValue::kNoBase;
  EXPECT_EQ(append(std::move(without))->base_total_at(0), 0U) << "it has none";
  const auto back = append(single(average, {190}, 3, {0xF000'0014}));
  EXPECT_EQ(back->reason[0], NoValue::kFirstSample) << "the first one that has a base";
  EXPECT_EQ(back->total_at(0), 190U);
  EXPECT_EQ(back->base_total_at(0), 0xF000'0014U);
  const auto next = append(single(average, {290}, 4, {0xF000'0028}));
  EXPECT_EQ(next->cooked[0], 5);
  EXPECT_EQ(next->base_total_at(0), 0xF000'0028U);
}

// Its formula divides by the present base alone.
TEST_F(SampleChainTest, AMultiTimerDoesNotNeedTheBaseBefore) {
  const std::vector<Column> timer{{.index = 1,
                                   .type = CounterType{0x22510500},
                                   .size = 8,
                                   .base_size = 4}};  // 100NSEC_MULTI_TIMER
  auto without = single(timer, {0}, 1);
  without->reason[0] = NoValue::kNoBase;
  append(std::move(without));
  EXPECT_EQ(append(single(timer, {5'000'000}, 2, {2}))->reason[0], NoValue::kNone);
}

TEST_F(SampleChainTest, ACellWithoutAValueStaysAsItIsAndStartsAnewAfterwards) {
  append(single({{.index = 1, .type = kRate}}, {0xFFFF'FFFF}, 1));
  auto missing = single({{.index = 1, .type = kRate}}, {0}, 2);
  missing->reason[0] = NoValue::kOutOfBlock;
  const auto without = append(std::move(missing));
  EXPECT_EQ(without->reason[0], NoValue::kOutOfBlock);
  EXPECT_EQ(without->total_at(0), 0U);
  const auto back = append(single({{.index = 1, .type = kRate}}, {30}, 3));
  EXPECT_EQ(back->reason[0], NoValue::kFirstSample);
  EXPECT_EQ(back->total_at(0), 30U);
}

TEST_F(SampleChainTest, ColumnsAreFollowedByTheirIndexToAnotherPlace) {
  const Column a{.index = 1, .type = kRate}, b{.index = 2, .type = kRate};
  append(single({a, b}, {10, 1'000}, 1));
  const auto swapped = append(single({b, a}, {1'005, 12}, 2));
  EXPECT_THAT(swapped->cooked, ElementsAre(5, 2));
}

// Whatever else is added, the n-th definition with an index continues the n-th one.
TEST_F(SampleChainTest, DefinitionsWithOneIndexAreToldApartByTheirOrder) {
  const Column twice{.index = 1, .type = kRate};
  append(single({twice, twice, twice}, {10, 1'000, 5'000}, 1));
  const auto sample =
      append(single({twice, {.index = 2, .type = kRate}, twice, twice}, {11, 7, 1'002, 5'003}, 2));
  EXPECT_THAT(sample->reason,
              ElementsAre(NoValue::kNone, NoValue::kFirstSample, NoValue::kNone, NoValue::kNone));
  EXPECT_THAT(sample->cooked, ElementsAre(1, 0, 2, 3));
  EXPECT_THAT(totals_of(*sample), ElementsAre(11, 7, 1'002, 5'003));
}

TEST_F(SampleChainTest, AChangedTypeOrWidthContinuesNothing) {
  const Column before{.index = 1, .type = kAverage, .size = 8, .base_size = 4};
  Column type = before, size = before, no_base = before, base_size = before;
  type.type = CounterType{0x20C20400};  // PERF_SAMPLE_FRACTION
  size.size = 4;
  no_base.base_size.reset();
  base_size.base_size = 8;
  for (const Column& now : {type, size, base_size, no_base}) {
    chain_ = {};
    append(single({before}, {10}, 1, {1}));
    const auto sample = append(single({now}, {50}, 2, {3}));
    EXPECT_EQ(sample->reason[0], NoValue::kTypeChanged);
    EXPECT_EQ(sample->total_at(0), 50U);
    EXPECT_EQ(sample->base_total_at(0), now.base_size ? 3U : 0U);
  }
  chain_ = {};
  Column empty_base = before;
  empty_base.base_size = 0;
  append(single({empty_base}, {10}, 1));
  EXPECT_EQ(append(single({no_base}, {50}, 2))->reason[0], NoValue::kTypeChanged);
  chain_ = {};
  append(single({before}, {10}, 1, {1}));
  EXPECT_EQ(append(single({before}, {50}, 2, {3}))->cooked[0], 20);
}

TEST_F(SampleChainTest, ACounterThatNeedsNoSecondSampleMayChangeItsType) {
  append(single({{.index = 1, .type = kRate}}, {10}, 1));
  const auto sample = append(single({{.index = 1}}, {30}, 2));
  EXPECT_EQ(sample->reason[0], NoValue::kNone);
  EXPECT_EQ(sample->cooked[0], 30);
}

TEST_F(SampleChainTest, RowsAreFollowedByTheirIdentity) {
  const Column rate{.index = 1, .type = kRate};
  append(rate, {"a", "b", "c"}, {10, 100, 1'000}, 1);
  const auto sample = append(rate, {"c", "new", "a"}, {1'003, 70, 11}, 2);
  EXPECT_THAT(sample->reason, ElementsAre(NoValue::kNone, NoValue::kFirstSample, NoValue::kNone));
  EXPECT_THAT(sample->cooked, ElementsAre(3, 0, 1));
  EXPECT_THAT(totals_of(*sample), ElementsAre(1'003, 70, 11));
}

TEST_F(SampleChainTest, EveryRowAndColumnContinuesItsOwnCell) {
  const auto schema = schema_of({{.index = 1, .type = kRate}, {.index = 2, .type = kRate}}, true);
  const auto instances = instances_named({"a", "b", "c"});
  auto before = make_raw_sample(schema, instances, at_second(1));
  before->raw = by_rows<std::uint64_t>(*before, {10, 20, 30, 40, 50, 60});
  append(std::move(before));
  auto now = make_raw_sample(schema, instances, at_second(2));
  now->raw = by_rows<std::uint64_t>(*now, {11, 22, 33, 44, 55, 66});
  const auto sample = append(std::move(now));
  EXPECT_EQ(sample->cooked, by_rows<double>(*sample, {1, 2, 3, 4, 5, 6}));
}

TEST_F(SampleChainTest, AnObjectThatGetsOrLosesItsInstancesStartsAnew) {
  const Column rate{.index = 1, .type = kRate};
  append(single({rate}, {10}, 1));
  EXPECT_EQ(append(rate, {"a"}, {15}, 2)->reason[0], NoValue::kFirstSample);
  EXPECT_EQ(append(single({rate}, {20}, 3))->reason[0], NoValue::kFirstSample);
}

TEST_F(SampleChainTest, ACounterWithItsOwnClockIsMeasuredByIt) {
  const auto schema = schema_of({{.index = 1, .type = kRate}, {.index = 2, .type = kRate}}, false);
  const auto instances = instances_named({});
  auto before = make_raw_sample(schema, instances, at_second(100));
  before->raw = {10, 10};
  before->own_clocks = {at_second(1), at_second(1)};
  append(std::move(before));
  auto now = make_raw_sample(schema, instances, at_second(101));
  now->raw = {50, 50};
  now->own_clocks = {at_second(3), at_second(5)};
  EXPECT_THAT(append(std::move(now))->cooked, ElementsAre(20, 10));
}

TEST_F(SampleChainTest, CooksAsTheOptionsSay) {
  const Column timer{.index = 1, .type = CounterType{0x20510500}, .size = 8};
  for (const bool cap : {false, true}) {
    chain_ = {};
    options_.cap_percent = cap;
    append(single({timer}, {0}, 1));
    EXPECT_EQ(append(single({timer}, {12'000'000}, 2))->cooked[0], cap ? 100 : 120);
  }
}

// A provider that restarts begins all its counters anew: none of them has wrapped.
TEST_F(SampleChainTest, AResetThatSiblingsShowIsNoWrap) {
  const std::vector<Column> columns{{.index = 1, .type = kRate},
                                    {.index = 2, .type = kLargeRate, .size = 8},
                                    {.index = 3, .type = kAverage, .size = 8, .base_size = 4},
                                    {.index = 4, .type = kGauge}};
  append(single(columns, {0xFFFF'FF00, 900, 100, 50}, 1, {0, 0, 0xFFFF'FFF0, 0}));
  const auto second = append(single(columns, {16, 3, 200, 7}, 2, {0, 0, 2, 0}));
  EXPECT_THAT(second->reason, ElementsAre(NoValue::kCounterReset, NoValue::kCounterReset,
                                          NoValue::kBaseReset, NoValue::kNone));
  EXPECT_THAT(totals_of(*second), ElementsAre(16, 3, 200, 7));
  EXPECT_EQ(second->base_total_at(2), 2U);
  const auto third = append(single(columns, {26, 4, 210, 7}, 3, {0, 0, 4, 0}));
  EXPECT_EQ(third->cooked[0], 10);
  EXPECT_EQ(third->total_at(0), 26U);
}

TEST_F(SampleChainTest, AResetOfOneInstanceIsThatOfItAlone) {
  const std::vector<Column> columns{{.index = 1, .type = kRate},
                                    {.index = 2, .type = kLargeRate, .size = 8}};
  const auto instances = instances_named({"a", "b"});
  const auto sample = [&](std::vector<std::uint64_t> raw, std::int64_t second) {
    auto made = make_raw_sample(schema_of(columns, true), instances, at_second(second));
    made->raw = by_rows(*made, raw);
    return append(std::move(made));
  };
  sample({0xFFFF'FF00, 900, 0xFFFF'FF00, 900}, 1);
  const auto second = sample({16, 3, 16, 901}, 2);
  EXPECT_EQ(second->reason[second->cell(0, 0)], NoValue::kCounterReset);
  EXPECT_EQ(second->reason[second->cell(1, 0)], NoValue::kNone);
  EXPECT_EQ(second->cooked[second->cell(1, 0)], 0x110);
}

// An object without instances that says whose counters these are.
TEST_F(SampleChainTest, AnotherProcessBeginsAnewAndAnUnknownOneDoesNot) {
  const auto of = [&](std::optional<std::uint64_t> process, std::uint64_t value,
                      std::int64_t second) {
    auto made = single({{.index = 1, .type = kRate}}, {value}, second);
    made->owner = process;
    return append(std::move(made));
  };
  of(std::nullopt, 100, 1);
  EXPECT_EQ(of(10, 110, 2)->reason[0], NoValue::kNone) << "it appears";
  EXPECT_EQ(of(10, 120, 3)->reason[0], NoValue::kNone);
  EXPECT_EQ(of(0, 130, 4)->reason[0], NoValue::kNone) << "0 is no id";
  EXPECT_EQ(of(10, 140, 5)->reason[0], NoValue::kNone);
  EXPECT_EQ(of(std::nullopt, 150, 6)->reason[0], NoValue::kNone);
  const auto other = of(11, 5000, 7);
  EXPECT_EQ(other->reason[0], NoValue::kFirstSample);
  EXPECT_EQ(other->total_at(0), 5000U);
}

}  // namespace
}  // namespace winperf
