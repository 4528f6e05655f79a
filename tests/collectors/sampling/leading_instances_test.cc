// Which instances of a sample stay if there are too many.
#include "collectors/sampling/leading_instances.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/collectors/sampling/raw_sample.h"
#include "tests/support/sample_arrays.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using testing::instances_named;

// An object with a column that ranks and one that only numbers the rows, from 100 on.
std::shared_ptr<CountersetSample> sample_of(std::shared_ptr<const InstanceSet> instances,
                                            const std::vector<double>& ranks) {
  auto schema = std::make_shared<CountersetSchema>();
  schema->multi_instance = true;
  schema->counters.resize(2);
  schema->counters[0].name = "Number";
  schema->counters[1].name = "Rank";
  schema->counters[1].local_name = "Rang";
  auto sample = testing::make_raw_sample(schema, std::move(instances), {});
  testing::give_all_arrays(*sample);
  for (std::size_t row = 0; row < sample->rows(); ++row) {
    const std::size_t cell = sample->cell(row, 0);
    sample->raw[cell] = testing::bases(*sample)[cell] = testing::totals(*sample)[cell] = 100 + row;
    sample->cooked[sample->cell(row, 0)] = 100.0 + static_cast<double>(row);
    sample->cooked[sample->cell(row, 1)] = ranks.at(row);
  }
  return sample;
}

std::vector<std::string> names_of(const CountersetSample& sample) {
  std::vector<std::string> names;
  for (const InstanceSchema& instance : sample.instances->instances) names.push_back(instance.name);
  return names;
}

TEST(LeadingInstances, NamesThatEndAsTotalsDoAreRivalsLikeOthers) {
  const auto all = sample_of(instances_named({"x_Total", "_Total", "b", "y_Total"}), {1, 9, 3, 2});
  const auto kept = LeadingInstances().keep(all, InstanceLimit{.instances = 2, .by = "Rank"});
  EXPECT_THAT(names_of(*kept), ElementsAre("_Total", "b", "y_Total"));
  EXPECT_EQ(kept->instances_left_out, 1u);
}

TEST(LeadingInstances, AreThoseWithTheMostInTheOrderOfTheProvider) {
  const auto all =
      sample_of(instances_named({"a", "_Total", "b", "c", "0,_total", "d"}), {3, 9, 1, 3, 9, 4});
  LeadingInstances leading;
  for (const char* const by : {"Rank", "rank", "RANG"}) {
    const auto kept = leading.keep(all, InstanceLimit{.instances = 2, .by = by});
    EXPECT_THAT(names_of(*kept), ElementsAre("a", "_Total", "0,_total", "d")) << by;
    EXPECT_EQ(kept->instances_left_out, 2u);
    EXPECT_THAT(kept->raw, ElementsAre(100, 101, 104, 105, 0, 0, 0, 0));
    EXPECT_EQ(testing::totals_of(*kept), kept->raw);
    EXPECT_EQ(kept->base_at(kept->cell(3, 0)), 105u);
    EXPECT_THAT(kept->cooked, ElementsAre(100, 101, 104, 105, 3, 9, 9, 4));
    EXPECT_EQ(kept->reason.size(), 8u);
    EXPECT_EQ(kept->instances->all, all->instances);
    EXPECT_THAT(kept->instances->places, ElementsAre(0, 1, 4, 5));
    EXPECT_EQ(kept->schema, all->schema);
  }
}

TEST(LeadingInstances, WithoutACounterAreTheFirst) {
  const auto all = sample_of(instances_named({"a", "b", "_Total", "c"}), {1, 2, 3, 4});
  LeadingInstances leading;
  for (const char* const by : {"", "unheard of"}) {
    const auto kept = leading.keep(all, InstanceLimit{.instances = 1, .by = by});
    EXPECT_THAT(names_of(*kept), ElementsAre("a", "_Total")) << by;
  }
}

// Of a rate there is nothing in the first sample of an instance, and a double may be anything.
TEST(LeadingInstances, WithoutAValueComeLast) {
  const auto all = sample_of(instances_named({"none", "nan", "least", "none, too", "less", "more"}),
                             {50, std::nan(""), -HUGE_VAL, 60, -5, -4});
  all->reason[all->cell(0, 1)] = NoValue::kFirstSample;
  all->reason[all->cell(3, 1)] = NoValue::kFirstSample;
  const auto kept = [&](std::size_t count) {
    return names_of(*LeadingInstances().keep(all, InstanceLimit{.instances = count, .by = "Rank"}));
  };
  EXPECT_THAT(kept(1), ElementsAre("more"));
  EXPECT_THAT(kept(2), ElementsAre("less", "more"));
  EXPECT_THAT(kept(4), ElementsAre("none", "nan", "less", "more"));
}

TEST(LeadingInstances, KeepTheirClocksAndTheDamage) {
  const auto all = sample_of(instances_named({"a", "b"}), {1, 2});
  all->damage = Error{.code = ErrorCode::kTruncated, .where = "here"};
  all->own_clocks.resize(4);
  for (std::size_t cell = 0; cell < 4; ++cell)
    all->own_clocks[cell].object_time = {static_cast<std::int64_t>(cell)};
  const auto kept = LeadingInstances().keep(all, InstanceLimit{.instances = 1, .by = "Rank"});
  EXPECT_EQ(kept->damage, all->damage);
  ASSERT_EQ(kept->own_clocks.size(), 2u);
  EXPECT_EQ(kept->own_clocks[0].object_time, ObjectTicks{1});
  EXPECT_EQ(kept->own_clocks[1].object_time, ObjectTicks{3});
}

TEST(LeadingInstances, WithinTheLimitAreTheSampleItself) {
  const auto all = sample_of(instances_named({"a", "_Total", "b"}), {1, 2, 3});
  LeadingInstances leading;
  EXPECT_EQ(leading.keep(all, std::nullopt), all);
  EXPECT_EQ(leading.keep(all, InstanceLimit{.instances = 2, .by = "Rank"}), all);
  EXPECT_NE(leading.keep(all, InstanceLimit{.instances = 1, .by = "Rank"}), all);
}

// A renderer keeps what it derived from a set.
TEST(LeadingInstances, ShareTheirSetWhileTheyAreTheSame) {
  const auto set = instances_named({"a", "b", "c"});
  const InstanceLimit one{.instances = 1, .by = "Rank"};
  LeadingInstances leading;
  const auto first = leading.keep(sample_of(set, {1, 3, 2}), one);
  const auto same = leading.keep(sample_of(set, {4, 9, 5}), one);
  EXPECT_EQ(first->instances, same->instances);
  const auto other = leading.keep(sample_of(set, {4, 3, 5}), one);
  EXPECT_THAT(names_of(*other), ElementsAre("c"));
  const auto renamed = leading.keep(sample_of(instances_named({"x", "y", "z"}), {4, 3, 5}), one);
  EXPECT_THAT(names_of(*renamed), ElementsAre("z"));
}

TEST(LeadingInstances, OfAnObjectWithoutInstancesDoNotMatter) {
  auto schema = std::make_shared<CountersetSchema>();
  schema->counters.resize(1);
  const std::shared_ptr<const CountersetSample> single =
      testing::make_raw_sample(schema, std::make_shared<InstanceSet>(), {});
  EXPECT_EQ(LeadingInstances().keep(single, InstanceLimit{.instances = 1}), single);
}

}  // namespace
}  // namespace winperf
