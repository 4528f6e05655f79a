// Follows the results of one counterset from sample to sample.
#include "collectors/sampling/perflib/v2_tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/base/os_code.h"
#include "tests/collectors/sampling/perflib/tracked.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using simulator::InstanceValues;
using testing::Counters;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::Tracked;
using v2::InstanceType;

constexpr std::uint32_t kGaugeType = 0x00010000, kRateType = 0x10410400, kFractionType = 0x20020400,
                        kRawBaseType = 0x40030403, kElapsedType = 0x30240500,
                        kObjectTimerType = 0x20610500, kTextType = 0x00000B00,
                        kLargeGaugeType = 0x00010100;

std::vector<std::string> shown(const CountersetSample& sample) {
  std::vector<std::string> names;
  for (const InstanceSchema& instance : sample.instances->instances)
    names.push_back(display_name(instance));
  return names;
}

TEST(V2Tracker, FollowsInstancesThroughANewOrder) {
  Tracked tracked(Counters{{.id = 1, .type = kRateType}});
  EXPECT_EQ(tracked.sample({{u"a", 1, {10}}, {u"b", 2, {1'000}}})->reason[0],
            NoValue::kFirstSample);
  const auto sample = tracked.sample({{u"b", 2, {1'005}}, {u"a", 1, {12}}, {u"c", 3, {7}}});
  EXPECT_THAT(shown(*sample), ElementsAre("b", "a", "c"));
  EXPECT_THAT(sample->cooked, ElementsAre(5, 2, 0));
  EXPECT_EQ(sample->reason[2], NoValue::kFirstSample);
  EXPECT_EQ(sample->clocks, tracked.clocks());
}

TEST(V2Tracker, SharesSchemaAndInstancesForAsLongAsTheyAreTheSame) {
  Tracked tracked(Counters{{.id = 1, .name = u"ID Process"},
                           {.id = 2, .name = u"ID Thread"},
                           {.id = 3, .type = kElapsedType, .bytes = 8}});
  const auto first = tracked.sample({{u"a", 1, {4, 5, 6}}});
  EXPECT_EQ(first->instances->instances[0].process_id, 4U);
  EXPECT_EQ(first->instances->instances[0].thread_id, 5U);
  EXPECT_EQ(first->instances->instances[0].started, 6U);
  EXPECT_EQ(tracked.sample({{u"a", 1, {4, 5, 6}}})->instances, first->instances);
  const auto set = [&](std::u16string name, std::uint32_t id, std::vector<std::uint64_t> values) {
    const auto sample = tracked.sample({{name, id, std::move(values)}});
    EXPECT_EQ(sample->schema, first->schema);
    return sample->instances->instances.at(0);
  };
  EXPECT_EQ(set(u"a", 1, {40, 5, 6}).process_id, 40U);
  EXPECT_EQ(set(u"a", 1, {40, 50, 6}).thread_id, 50U);
  EXPECT_EQ(set(u"a", 1, {40, 50, 60}).started, 60U);
  EXPECT_EQ(set(u"a", 2, {40, 50, 60}).unique_id, 2U);
  EXPECT_EQ(set(u"b", 2, {40, 50, 60}).name, "b");
}

TEST(V2Tracker, AnIdThatIsUnknownIsNotZero) {
  Tracked tracked(Counters{{.id = 1, .name = u"ID Process"}});
  const auto bytes = tracked.result({{u"a", 1, {0}}});
  constexpr std::size_t kDataSize = 16 + 16 + 8 + 16;
  const auto process_id = [&](const simulator::Bytes& reply) {
    const auto reading = tracked.take_bytes(reply);
    return reading->sample->instances->instances.at(0).process_id;
  };
  EXPECT_EQ(process_id(testing::with_field(bytes, kDataSize, 6)), std::nullopt);
  EXPECT_EQ(process_id(bytes), 0U);
  EXPECT_EQ(process_id(testing::with_field(bytes, kDataSize, 6)), std::nullopt);
}

TEST(V2Tracker, AStartTimeWithoutAProcessIdIsNotPartOfTheIdentity) {
  Tracked tracked(Counters{{.id = 1, .name = u"ID Process"},
                           {.id = 2, .type = kElapsedType, .bytes = 8},
                           {.id = 3, .type = kRateType}});
  tracked.sample({{u"_Total", 0, {0, 100, 10}}, {u"a", 1, {4, 100, 10}}});
  const auto sample = tracked.sample({{u"_Total", 0, {0, 200, 13}}, {u"a", 1, {4, 200, 13}}});
  EXPECT_EQ(sample->cooked[sample->cell(0, 2)], 3) << "the start time of a total moves";
  EXPECT_EQ(sample->reason[sample->cell(1, 2)], NoValue::kFirstSample) << "another process";
}

TEST(V2Tracker, TakesTheOneInstanceWithTheWantedId) {
  Tracked tracked(Counters{{.id = 1}}, InstanceType::kMultiple, {.instance_id = 2});
  const auto sample = tracked.sample({{u"a", 1, {10}}, {u"b", 2, {20}}, {u"c", 3, {30}}});
  EXPECT_THAT(shown(*sample), ElementsAre("b"));
  EXPECT_THAT(sample->raw, ElementsAre(20)) << "the value is that of the same row";
  EXPECT_EQ(sample->instances->instances[0].ordinal, 1U);
}

TEST(V2Tracker, TakesSelectedCountersAndInstancesOnly) {
  Tracked tracked(Counters{{.id = 1, .name = u"A"}, {.id = 2, .name = u"B"}},
                  InstanceType::kMultiple,
                  {.instances = [](std::string_view name) { return name == "y"; },
                   .counters = [](const CounterSchema& c) { return c.name == "B"; }});
  const auto sample = tracked.sample({{u"x", 1, {1, 2}}, {u"y", 2, {3, 4}}});
  EXPECT_THAT(sample->raw, ElementsAre(4));
}

TEST(V2Tracker, AnInstanceIsCalledByItsNameItsIdOrTheRequest) {
  Tracked tracked(Counters{{.id = 1}});
  EXPECT_THAT(shown(*tracked.sample({{u"", 42, {1}}, {u"b", 43, {1}}, {u"b", 44, {1}}})),
              ElementsAre("42", "b", "b#1"));
  const simulator::CountersetDefinition set{.counters = {{.id = 1}}};
  const auto without_instance = [&] {
    return simulator::table_result(
        {.counterset = set, .columns = {0}, .rows = {{.values = {7}}}, .has_instances = false});
  };
  for (const auto& [requested, name] : std::vector<std::pair<std::u16string, std::string>>{
           {u"C:", "C:"}, {u"C*", ""}, {u"?:", ""}, {u"", ""}}) {
    tracked.request.instance_name = requested;
    const auto reading = tracked.take_bytes(without_instance());
    ASSERT_TRUE(reading);
    EXPECT_THAT(shown(*reading->sample), ElementsAre(name));
    // Otherwise the same bytes would be the same instance.
    (void)tracked.sample({});
  }
}

TEST(V2Tracker, NoInstanceIsAnAnswerAndNoDataOfOneInstanceIsNot) {
  Tracked many(Counters{{.id = 1, .type = kRateType}});
  const auto none = many.sample({});
  EXPECT_EQ(none->rows(), 0U);
  Tracked single(Counters{{.id = 1}}, InstanceType::kSingle);
  const auto missing = single.take_bytes(simulator::table_result(
      {.counterset = {.counters = {{.id = 1}}}, .columns = {0}, .rows = {}}));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().error.code, ErrorCode::kNotRunning);
}

// Windows' own answer is "no data".
class V2TrackerWithoutInstance : public ::testing::TestWithParam<OsCode> {};

INSTANTIATE_TEST_SUITE_P(Statuses, V2TrackerWithoutInstance,
                         ::testing::Values(OsCode::kNoData, OsCode::kInstanceNotFound,
                                           OsCode::kPathNotFound));

TEST_P(V2TrackerWithoutInstance, AProviderThatIsNotRunningHasNoInstances) {
  const auto not_running = simulator::error_result(value_of(GetParam()));
  const auto refused = simulator::error_result(value_of(OsCode::kAccessDenied));
  Tracked many(Counters{{.id = 1, .type = kRateType}});
  many.sample({{u"a", 1, {10}}});
  const auto none = many.take_bytes(not_running);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->sample->rows(), 0U);
  EXPECT_EQ(none->sample->clocks, many.clocks());
  const auto back = many.sample({{u"a", 1, {20}}});
  EXPECT_EQ(back->reason[0], NoValue::kFirstSample) << "it was away";
  EXPECT_THAT(shown(*back), ElementsAre("a"));
  EXPECT_EQ(many.take_bytes(refused).error().error.code, ErrorCode::kAccessDenied);

  Tracked single(Counters{{.id = 1}}, InstanceType::kSingle);
  EXPECT_EQ(single.take_bytes(not_running).error().error.code, ErrorCode::kNotRunning);
  EXPECT_EQ(single.take_bytes(refused).error().error.code, ErrorCode::kAccessDenied);
}

TEST(V2Tracker, OfSeveralRowsOfOneInstanceTheFirstCountsAndTheirNumberIsReported) {
  const simulator::CountersetDefinition set{.counters = {{.id = 1}}};
  for (const std::size_t rows : {1U, 2U, 3U}) {
    Tracked single(Counters{{.id = 1}}, InstanceType::kSingle);
    std::vector<InstanceValues> values;
    for (std::size_t row = 0; row < rows; ++row) values.push_back({.values = {row + 7}});
    const auto reading = single.take_bytes(
        simulator::table_result({.counterset = set, .columns = {0}, .rows = values}));
    ASSERT_TRUE(reading);
    EXPECT_THAT(reading->sample->raw, ElementsAre(7));
    if (rows == 1) {
      EXPECT_THAT(reading->problems, IsEmpty());
      continue;
    }
    ASSERT_EQ(reading->problems.size(), 1U);
    EXPECT_EQ(reading->problems[0].code, ErrorCode::kBadCount);
    EXPECT_EQ(reading->problems[0].actual, rows);
    EXPECT_EQ(reading->problems[0].limit, 1U);
  }
}

TEST(V2Tracker, ABadRowCostsTheRowsFromThereOn) {
  Tracked tracked(Counters{{.id = 1}});
  const auto bytes = tracked.result({{u"a", 1, {10}}, {u"b", 2, {20}}});
  constexpr std::size_t kFirstInstance = 16 + 16 + 8, kSecondInstance = kFirstInstance + 32;
  const auto one = tracked.take_bytes(testing::with_field(bytes, kSecondInstance, 4));
  ASSERT_TRUE(one);
  EXPECT_THAT(shown(*one->sample), ElementsAre("a"));
  ASSERT_EQ(one->problems.size(), 1U);
  EXPECT_EQ(one->problems[0].code, ErrorCode::kBadLength);
  const auto none = tracked.take_bytes(testing::with_field(bytes, kFirstInstance, 4));
  ASSERT_FALSE(none) << "no row at all is no empty list";
  EXPECT_EQ(none.error().error.code, ErrorCode::kBadLength);
}

TEST(V2Tracker, TheFirstRowWithAValueSaysHowWideACounterIs) {
  // Two rows of one counter whose widths differ: the second value's size field is spoilt.
  Tracked tracked(Counters{{.id = 1, .type = kLargeGaugeType, .bytes = 8}});
  const auto bytes = tracked.result({{u"a", 1, {10}}, {u"b", 2, {20}}, {u"c", 3, {30}}});
  constexpr std::size_t kFirstValue = 16 + 16 + 8 + 16, kRow = 32;
  const auto reading = tracked.take_bytes(testing::with_field(bytes, kFirstValue + kRow, 4));
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->sample->schema->counters[0].size, 8U);
  EXPECT_THAT(reading->sample->reason,
              ElementsAre(NoValue::kNone, NoValue::kBadSize, NoValue::kNone));
  EXPECT_EQ(reading->sample->raw[2], 30U);
  // Without a value in the first row, the second one decides.
  const auto later = tracked.take_bytes(
      testing::with_field(testing::with_field(bytes, kFirstValue, 0), kFirstValue + kRow, 4));
  ASSERT_TRUE(later);
  EXPECT_EQ(later->sample->schema->counters[0].size, 4U);
  EXPECT_THAT(later->sample->reason,
              ElementsAre(NoValue::kNotDelivered, NoValue::kNone, NoValue::kBadSize));
}

TEST(V2Tracker, ACounterThatIsDeliveredInAnotherWidthStartsAnew) {
  Tracked tracked(Counters{{.id = 1, .type = kRateType}, {.id = 2}});
  const auto narrow = tracked.sample({{u"a", 1, {10, 1}}});
  EXPECT_EQ(narrow->schema->counters[0].size, 4U);
  tracked.deliver(0, 8);
  const auto wide = tracked.sample({{u"a", 1, {0x1'0000'0000, 1}}});
  EXPECT_EQ(wide->schema->counters[1].size, 4U);
  EXPECT_EQ(wide->schema->counters[0].size, 8U);
  EXPECT_EQ(wide->reason[0], NoValue::kTypeChanged);
  EXPECT_EQ(wide->raw[0], 0x1'0000'0000U);
}

TEST(V2Tracker, ABaseIsTakenFromTheColumnWithItsId) {
  Tracked tracked(Counters{{.id = 8, .type = kRawBaseType},
                           {.id = 1, .type = kFractionType, .base_id = 9},
                           {.id = 9, .type = kRawBaseType}});
  const auto sample = tracked.sample({{u"a", 1, {1, 25, 200}}, {u"b", 2, {1, 30, 400}}});
  ASSERT_EQ(sample->columns(), 2U) << "a base that no counter uses is shown";
  EXPECT_EQ(sample->base_at(sample->cell(0, 1)), 200U);
  EXPECT_EQ(sample->cooked[sample->cell(0, 1)], 12.5);
  EXPECT_EQ(sample->cooked[sample->cell(1, 1)], 7.5);
}

TEST(V2Tracker, WithoutItsBaseACounterKeepsItsRawValue) {
  Tracked tracked(
      Counters{{.id = 1, .type = kFractionType, .base_id = 9}, {.id = 9, .type = kRawBaseType}});
  const simulator::CountersetDefinition only_value{.counters = {{.id = 1}}};
  const auto reading = tracked.take_bytes(simulator::table_result(
      {.counterset = only_value, .columns = {0}, .rows = {{u"a", 1, {25}}}}));
  ASSERT_TRUE(reading);
  EXPECT_THAT(reading->sample->reason, ElementsAre(NoValue::kNoBase));
  EXPECT_THAT(reading->sample->raw, ElementsAre(25));
}

TEST(V2Tracker, ACounterThatIsNotDeliveredHasAReasonAndTextHasNoNumber) {
  Tracked tracked(Counters{{.id = 1}, {.id = 2}, {.id = 3, .type = kTextType}});
  const simulator::CountersetDefinition delivered{.counters = {{.id = 1}, {.id = 3}}};
  const auto reading = tracked.take_bytes(simulator::table_result(
      {.counterset = delivered, .columns = {0, 1}, .rows = {{u"a", 1, {7, 8}}}}));
  ASSERT_TRUE(reading);
  EXPECT_THAT(reading->sample->reason,
              ElementsAre(NoValue::kNone, NoValue::kNotDelivered, NoValue::kNotNumeric));
  EXPECT_THAT(reading->sample->raw, ElementsAre(7, 0, 0));
}

TEST(V2Tracker, ACounterIsMeasuredByTheClockThatItsRegistrationNames) {
  Tracked tracked(
      {{.id = 1, .type = kObjectTimerType, .bytes = 8, .perf_time_id = 2, .perf_freq_id = 3},
       {.id = 2, .type = kLargeGaugeType, .bytes = 8, .attributes = v2::kAttribNotDisplayed},
       {.id = 3, .type = kLargeGaugeType, .bytes = 8, .attributes = v2::kAttribNotDisplayed},
       {.id = 4, .type = kRateType}});
  tracked.sample({{u"a", 1, {0, 1'000, 10, 5}}, {u"b", 2, {0, 5'000, 10, 5}}});
  const auto sample =
      tracked.sample({{u"a", 1, {100, 1'400, 10, 7}}, {u"b", 2, {100, 5'200, 10, 7}}});
  ASSERT_EQ(sample->columns(), 2U);
  EXPECT_THAT(sample->cooked, ElementsAre(25, 50, 2, 2));
  EXPECT_EQ(sample->clocks_at(0).object_time.ticks, 1'400);
  EXPECT_EQ(sample->clocks_at(0).object_frequency.ticks_per_second, 10);
}

TEST(V2Tracker, AClockNeedsBothItsTimeAndItsFrequency) {
  for (const bool has_time : {true, false}) {
    Tracked tracked(Counters{{.id = 1,
                              .type = kObjectTimerType,
                              .bytes = 8,
                              .perf_time_id = has_time ? std::optional(2U) : std::nullopt,
                              .perf_freq_id = has_time ? std::nullopt : std::optional(2U)},
                             {.id = 2, .type = kLargeGaugeType, .bytes = 8}});
    tracked.sample({{u"a", 1, {0, 1'000}}});
    const auto sample = tracked.sample({{u"a", 1, {100, 1'400}}});
    EXPECT_EQ(sample->reason[0], NoValue::kZeroFrequency);
    EXPECT_EQ(sample->clocks_at(0).object_time.ticks, 0);
    EXPECT_EQ(sample->clocks_at(0).object_frequency.ticks_per_second, 0);
  }
}

TEST(V2Tracker, InstancesAreAddedUpWhereThatIsTheReadersPart) {
  Tracked one(Counters{{.id = 1}}, InstanceType::kSingleAggregate);
  EXPECT_THAT(one.sample({{u"a", 1, {4}}, {u"b", 2, {2}}})->raw, ElementsAre(6));
  Tracked beside(Counters{{.id = 1}}, InstanceType::kMultipleAggregate);
  const auto sample = beside.sample({{u"a", 1, {4}}, {u"b", 2, {2}}});
  EXPECT_THAT(shown(*sample), ElementsAre("a", "b", "_Total"));
  EXPECT_THAT(sample->raw, ElementsAre(4, 2, 6));
}

TEST(V2Tracker, WhatWasDeliveredTwiceIsReported) {
  Tracked tracked(Counters{{.id = 1}});
  const simulator::CountersetDefinition twice{.counters = {{.id = 1}}};
  const auto reading = tracked.take_bytes(
      simulator::table_result({.counterset = twice, .columns = {0, 0}, .rows = {{u"a", 1, {7}}}}));
  ASSERT_TRUE(reading);
  ASSERT_EQ(reading->problems.size(), 1U);
  EXPECT_EQ(reading->problems[0].code, ErrorCode::kDuplicateCounter);
}

}  // namespace
}  // namespace winperf
