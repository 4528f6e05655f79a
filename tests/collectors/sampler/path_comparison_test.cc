#include "collectors/sampler/path_comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/sampling/sample_chain.h"

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
  auto made = make_raw_sample(schema, set, {});
  made->raw = values;
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

TEST(ComparePaths, ACounterMayWrapBetweenItsReadings) {
  EXPECT_THAT(differences({"Turns/sec", kRate}, 0xFFFF'FFF0, 3, 8), IsEmpty());
  EXPECT_EQ(differences({"Turns/sec", kRate}, 0xFFFF'FFF0, 9, 8).size(), 1U);
}

TEST(ComparePaths, TheNarrowerOfTwoWidthsIsCompared) {
  const auto narrow = sample({{"Turns/sec", kLargeRate, 4}}, {}, {5});
  const auto wide = sample({{"Turns/sec", kLargeRate, 8}}, {}, {0x1'0000'0005});
  EXPECT_THAT(compare_paths(*narrow, *wide, *narrow).differences, IsEmpty());
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

}  // namespace
}  // namespace winperf
