#include "collectors/sampler/path_verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/sampling/sample_chain.h"
#include "tests/collectors/sampling/raw_sample.h"
#include "tests/support/sample_arrays.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr CounterType kGauge{0x00010000}, kRate{0x10410400}, kLargeRate{0x10410500};

struct Column {
  std::string name;
  CounterType type = kGauge;
  std::uint32_t size = 4;
};

// A sample of instances with a value for each column; without instances, of one row.
std::shared_ptr<CountersetSample> sample(const std::vector<Column>& columns,
                                         const std::vector<std::string>& instances,
                                         const std::vector<std::uint64_t>& values) {
  auto schema = std::make_shared<CountersetSchema>();
  schema->multi_instance = !instances.empty();
  for (const Column& column : columns) {
    CounterSchema& counter = schema->counters.emplace_back();
    counter.name = column.name;
    counter.type = column.type;
    counter.size = column.size;
  }
  auto set = std::make_shared<InstanceSet>();
  for (const std::string& name : instances) set->instances.emplace_back().name = name;
  auto made = testing::make_raw_sample(schema, set, {});
  made->raw = testing::by_rows(*made, values);
  return made;
}

std::vector<PathDifference> differences(const Column& column, std::uint64_t before,
                                        std::uint64_t perflib, std::uint64_t after) {
  return compare_paths(*sample({column}, {}, {before}), *sample({column}, {}, {perflib}),
                       *sample({column}, {}, {after}))
      .differences;
}

TEST(ComparePaths, ACounterThatGrowsLiesBetweenItsTwoReadings) {
  const Column rate{"Turns/sec", kRate};
  for (const std::uint64_t perflib : {10U, 15U, 20U})
    EXPECT_THAT(differences(rate, 10, perflib, 20), IsEmpty()) << perflib;
  EXPECT_THAT(differences(rate, 10, 9, 20),
              ElementsAre(PathDifference{"", "Turns/sec", "raw value", "10 to 20", "9"}));
  EXPECT_THAT(differences(rate, 10, 21, 20),
              ElementsAre(PathDifference{"", "Turns/sec", "raw value", "10 to 20", "21"}));
  EXPECT_THAT(differences(rate, 10, 11, 10),
              ElementsAre(PathDifference{"", "Turns/sec", "raw value", "10", "11"}));
}

TEST(ComparePaths, AValueThatIsOneOfTheRegistrysIsNoDifference) {
  const Column rate{"Turns/sec", kRate};
  EXPECT_THAT(differences(rate, 1, 1, 2), IsEmpty());
  EXPECT_THAT(differences(rate, 1, 2, 2), IsEmpty());
  EXPECT_THAT(differences(rate, 2, 2, 2), IsEmpty());
  EXPECT_THAT(differences({"Open"}, 2, 2, 2), IsEmpty());
}

TEST(ComparePaths, ACounterOfEightBytesIsComparedAsAWhole) {
  const Column rate{"Turns/sec", kLargeRate, 8};
  EXPECT_THAT(differences(rate, 0x1'0000'0000, 0x1'0000'0001, 0x1'0000'0002), IsEmpty());
  EXPECT_EQ(differences(rate, 0x1'0000'0000, 0x2'0000'0001, 0x1'0000'0002).size(), 1U);
  EXPECT_EQ(differences(rate, 0x1'0000'0000, 0, 0x1'0000'0000).size(), 1U);
}

// With a base, type and scale of its own.
std::shared_ptr<CountersetSample> with_base(std::uint64_t base, std::int32_t scale = 0,
                                            std::uint32_t base_size = 4) {
  auto made = sample({{"% Full", CounterType{0x20020400}}}, {}, {5});
  auto schema = std::make_shared<CountersetSchema>(*made->schema);
  schema->counters[0].has_base = true;
  schema->counters[0].base_size = base_size;
  schema->counters[0].default_scale = scale;
  made->schema = schema;
  testing::give_all_arrays(*made);
  testing::bases(*made)[0] = base;
  return made;
}

TEST(ComparePaths, BasesAreComparedLikeTheirCounters) {
  const auto same = compare_paths(*with_base(8), *with_base(8), *with_base(8));
  EXPECT_THAT(same.differences, IsEmpty());
  EXPECT_EQ(same.compared, 2U);
  EXPECT_THAT(compare_paths(*with_base(8), *with_base(9), *with_base(8)).differences,
              ElementsAre(PathDifference{"", "% Full", "base", "8", "9"}));
  const auto moved = compare_paths(*with_base(8), *with_base(77), *with_base(9));
  EXPECT_THAT(moved.differences, IsEmpty());
  EXPECT_EQ(moved.moving, 1U);
}

TEST(ComparePaths, TheNarrowerOfTwoBasesIsCompared) {
  const auto narrow = with_base(5), wide = with_base(0x1'0000'0005, 0, 8);
  for (const auto& [registry, perflib] : {std::pair{narrow, wide}, std::pair{wide, narrow}}) {
    const PathComparison found = compare_paths(*registry, *perflib, *registry);
    EXPECT_THAT(found.differences, IsEmpty());
    EXPECT_EQ(found.moving, 0U);
  }
}

TEST(ComparePaths, AnInstanceThatTheSecondReadingLacksIsNotCompared) {
  const std::vector<Column> column{{"Open"}};
  const auto both = sample(column, {"a", "b"}, {1, 2});
  const auto other = sample(column, {"a", "b"}, {1, 9});
  const auto found = compare_paths(*both, *other, *sample(column, {"a"}, {1}));
  EXPECT_THAT(found.differences, IsEmpty());
  EXPECT_EQ(found.compared, 1U);
}

TEST(ComparePaths, ABaseOrAScaleOfOnePathAloneIsADifference) {
  const auto none = sample({{"% Full", CounterType{0x20020400}}}, {}, {5});
  EXPECT_THAT(compare_paths(*with_base(8), *none, *with_base(8)).differences,
              ElementsAre(PathDifference{"", "% Full", "base", "yes", "none"}));
  EXPECT_THAT(compare_paths(*none, *with_base(8), *none).differences,
              ElementsAre(PathDifference{"", "% Full", "base", "none", "yes"}));
  EXPECT_THAT(compare_paths(*with_base(8, -1), *with_base(8, 2), *with_base(8, -1)).differences,
              ElementsAre(PathDifference{"", "% Full", "default scale", "-1", "2"}));
}

TEST(ComparePaths, EveryInstanceIsComparedWithItsOwnRow) {
  const std::vector<Column> columns{{"A"}, {"B"}};
  const auto before = sample(columns, {"x", "y", "z"}, {1, 2, 3, 4, 5, 6});
  const auto perflib = sample(columns, {"z", "x", "y"}, {5, 6, 1, 2, 3, 40});
  const auto found = compare_paths(*before, *perflib, *before);
  EXPECT_THAT(found.differences, ElementsAre(PathDifference{"y", "B", "raw value", "4", "40"}));
  EXPECT_EQ(found.compared, 6U);
}

TEST(ComparePaths, ACounterThatTheSecondReadingLacksIsNotCompared) {
  const auto both = sample({{"A"}, {"B"}}, {}, {1, 2});
  const auto one = sample({{"A"}}, {}, {1});
  const auto found = compare_paths(*both, *sample({{"A"}, {"B"}}, {}, {1, 9}), *one);
  EXPECT_THAT(found.differences, IsEmpty());
  EXPECT_EQ(found.compared, 1U);
}

TEST(ComparePaths, AValueThatTheSecondReadingLacksIsNotJudged) {
  const auto value = sample({{"A"}}, {}, {1});
  const auto other = sample({{"A"}}, {}, {9});
  const auto none = sample({{"A"}}, {}, {0});
  none->reason[0] = NoValue::kOutOfBlock;
  const auto found = compare_paths(*value, *other, *none);
  EXPECT_THAT(found.differences, IsEmpty());
  EXPECT_EQ(found.compared, 0U);
  EXPECT_EQ(compare_paths(*none, *value, *value).differences.size(), 1U);
}

TEST(ComparePaths, ACounterMayWrapBetweenItsReadings) {
  EXPECT_THAT(differences({"Turns/sec", kRate}, 0xFFFF'FFF0, 3, 8), IsEmpty());
  EXPECT_EQ(differences({"Turns/sec", kRate}, 0xFFFF'FFF0, 9, 8).size(), 1U);
}

TEST(ComparePaths, TheNarrowerOfTwoWidthsIsCompared) {
  const auto narrow = sample({{"Turns/sec", kLargeRate, 4}}, {}, {5});
  const auto wide = sample({{"Turns/sec", kLargeRate, 8}}, {}, {0x1'0000'0005});
  for (const auto& [registry, perflib] : {std::pair{narrow, wide}, std::pair{wide, narrow}}) {
    const PathComparison found = compare_paths(*registry, *perflib, *registry);
    EXPECT_THAT(found.differences, IsEmpty());
    EXPECT_EQ(found.moving, 0U);
  }
}

TEST(ComparePaths, AStateThatMovesIsCountedAndNotJudged) {
  const auto one = sample({{"Open"}}, {}, {1});
  const auto two = sample({{"Open"}}, {}, {2});
  const auto moved = compare_paths(*one, *sample({{"Open"}}, {}, {77}), *two);
  EXPECT_THAT(moved.differences, IsEmpty());
  EXPECT_EQ(moved.compared, 1U);
  EXPECT_EQ(moved.moving, 1U);
  EXPECT_THAT(compare_paths(*one, *two, *one).differences,
              ElementsAre(PathDifference{"", "Open", "raw value", "1", "2"}));
}

TEST(ComparePaths, AnInstanceIsMissingOnlyIfTheOtherSideHasItThroughout) {
  const std::vector<Column> column{{"Open"}};
  const auto both = sample(column, {"a", "b"}, {1, 2});
  const auto only_a = sample(column, {"a"}, {1});
  EXPECT_THAT(compare_paths(*both, *only_a, *both).differences,
              ElementsAre(PathDifference{"b", "", "instance only through the registry", "", ""}));
  EXPECT_THAT(compare_paths(*only_a, *both, *only_a).differences,
              ElementsAre(PathDifference{"b", "", "instance only via PerfLib", "", ""}));
  EXPECT_THAT(compare_paths(*both, *only_a, *only_a).differences, IsEmpty()) << "it has ended";
  EXPECT_THAT(compare_paths(*only_a, *both, *both).differences, IsEmpty()) << "it has begun";
}

TEST(ComparePaths, CountersTypesAndShapesMustBeEqual) {
  const auto registry = sample({{"A"}, {"B"}}, {}, {1, 2});
  const auto perflib = sample({{"A", kRate}, {"C"}}, {}, {1, 2});
  EXPECT_THAT(
      compare_paths(*registry, *perflib, *registry).differences,
      ElementsAre(PathDifference{"", "A", "type", "PERF_COUNTER_RAWCOUNT", "PERF_COUNTER_COUNTER"},
                  PathDifference{"", "B", "counter only through the registry", "", ""},
                  PathDifference{"", "C", "counter only via PerfLib", "", ""}));
  const auto many = sample({{"A"}, {"B"}}, {"x"}, {1, 2});
  EXPECT_EQ(compare_paths(*registry, *many, *registry).differences.at(0),
            (PathDifference{"", "", "instances", "one", "many"}));
}

TEST(ComparePaths, CountersWithOneNameAreComparedInTheirOrder) {
  const auto registry = sample({{"A"}, {"A"}}, {}, {1, 2});
  const auto perflib = sample({{"A"}, {"A"}}, {}, {1, 3});
  EXPECT_THAT(compare_paths(*registry, *perflib, *registry).differences,
              ElementsAre(PathDifference{"", "A#1", "raw value", "2", "3"}));
}

TEST(ComparePaths, ACellWithoutAValueOnOneSideIsADifference) {
  const auto value = sample({{"A"}}, {}, {1});
  const auto none = sample({{"A"}}, {}, {0});
  none->reason[0] = NoValue::kNotDelivered;
  const auto found = compare_paths(*value, *none, *value);
  EXPECT_THAT(found.differences,
              ElementsAre(PathDifference{"", "A", "reason", std::string(name_of(NoValue::kNone)),
                                         std::string(name_of(NoValue::kNotDelivered))}));
  EXPECT_EQ(found.compared, 0U);
  EXPECT_THAT(compare_paths(*none, *none, *none).differences, IsEmpty());
}

TEST(ComparePaths, WhatAPartialPathLacksIsNoDifference) {
  const auto registry = sample({{"A", kRate}, {"B"}}, {"x", "y"}, {1, 2, 3, 4});
  const auto partial = sample({{"B"}}, {"x", "y"}, {2, 4});
  const auto compared = [&registry](const CountersetSample& page) {
    return compare_paths(*registry, page, *registry, "on the page", true);
  };
  EXPECT_THAT(compared(*partial).differences, IsEmpty());
  EXPECT_EQ(compared(*partial).compared, 2U);
  EXPECT_EQ(compared(*sample({{"B"}}, {"x"}, {2})).compared, 1U);
  partial->reason[0] = NoValue::kNotDelivered;
  EXPECT_THAT(compared(*partial).differences, IsEmpty());
  EXPECT_EQ(compared(*partial).compared, 1U);
  const auto wrong = sample({{"B", kRate}, {"C"}}, {"x", "y"}, {2, 0, 5, 0});
  EXPECT_THAT(compared(*wrong).differences,
              ElementsAre(PathDifference{"y", "B", "raw value", "4", "5"},
                          PathDifference{"", "C", "counter only on the page", "", ""}));
}

}  // namespace
}  // namespace winperf
