#include "exporter/mapping/page_plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests

TEST(PagePlan_OfASample, HasItsFamiliesSortedByName) {
  Mapper mapper{{}};
  const PagePlan& plan = mapper.plan(*typical_sample(1));
  ASSERT_EQ(plan.families.size(), 4U);
  EXPECT_EQ(plan.families[0].name, "winperf_memory_available_bytes");
  EXPECT_EQ(plan.families[2].name, "winperf_processor_interrupts_total");
  EXPECT_EQ(plan.families[2].sources.at(0).counterset, 0U);
  EXPECT_EQ(plan.families[2].sources.at(0).value.column, 1U);
}

TEST(PagePlan_OfTheSameSchemas, KeepsTheirMappings) {
  Mapper mapper{{}};
  const auto first = typical_sample(1);
  const auto kept = mapper.plan(*first).objects;
  auto second = std::make_shared<Sample>(*first);
  second->countersets[1] = state("Memory", values(object("Memory", {})));
  const auto& after = mapper.plan(*second).objects;
  EXPECT_EQ(kept[0], after[0]);
  EXPECT_NE(kept[1], after[1]);
}

TEST(PagePlan_OfOneObjectInTwoCountersets, SharesItsFamilies) {
  auto both = typical_sample(1);
  both->countersets.push_back(both->countersets[0]);
  Mapper mapper{{}};
  const PagePlan& plan = mapper.plan(*both);
  EXPECT_EQ(plan.families.size(), 4U);
  EXPECT_EQ(plan.families[2].sources.size(), 2U);
}

TEST(PagePlan_OfObjectsWhoseNamesMeet, KeepsTheFamiliesApart) {
  const auto clash = sample(
      1, {state("a", values(object("Foo Bar", {counter("Baz", kRawCount)}))),
          state("b", values(object("Foo", {counter("Bar Baz", kRawCount)}))), CountersetState{}});
  Mapper mapper{{}};
  const PagePlan& plan = mapper.plan(*clash);
  ASSERT_EQ(plan.families.size(), 2U);
  EXPECT_EQ(plan.families[0].name, "winperf_foo_bar_baz");
  EXPECT_EQ(plan.families[0].sources[0].counterset, 0U);
  EXPECT_EQ(plan.objects[2], nullptr);
}

}  // namespace
}  // namespace winperf
