// Which name, index and provider the rules judge, and how they are written.
#include "service/doctor/rule_case.h"

#include <gtest/gtest.h>

#include "tests/service/doctor/world.h"

namespace winperf::testing {
namespace {

Case case_of(const World& world) { return {world.request, world.facts, world.machine}; }

TEST(RuleCase, ShowsAnIndexIfItIsOneOfWindows) {
  for (const auto& [index, shown] :
       std::vector<std::pair<std::uint32_t, bool>>{{0, false},
                                                   {1, true},
                                                   {kFirstOwnIndex - 1, true},
                                                   {kFirstOwnIndex, false},
                                                   {kFirstOwnIndex + 1, false}}) {
    World world = healthy_world();
    world.object().index = ObjectIndex{index};
    world.facts.names[0].indices = {ObjectIndex{index}};
    const Case c = case_of(world);
    EXPECT_EQ(c.shown_index().has_value(), shown) << index;
    EXPECT_EQ(c.quoted(),
              shown ? "\"Things\" (index " + std::to_string(index) + ")" : "\"Things\"");
  }
}

TEST(RuleCase, ANumberIsShownWithItsName) {
  World world = healthy_world();
  world.facts.names[0].name = "1850";
  EXPECT_EQ(case_of(world).quoted(), "\"Things\" (index 1850)");
  world.facts.names[0].text.clear();
  EXPECT_EQ(case_of(world).quoted(), "index 1850");
}

TEST(RuleCase, AProviderOwnsWhatItListsOrHasInItsRange) {
  ProviderFacts provider;
  provider.first_counter = 10;
  provider.last_counter = 20;
  for (const std::uint32_t index : {9U, 10U, 15U, 20U, 21U})
    EXPECT_EQ(has_in_range(provider, ObjectIndex{index}), index >= 10 && index <= 20) << index;
  provider.last_counter.reset();
  EXPECT_FALSE(has_in_range(provider, ObjectIndex{15}));
  provider.last_counter = 20;
  provider.first_counter.reset();
  EXPECT_FALSE(has_in_range(provider, ObjectIndex{15}));
  EXPECT_FALSE(lists(provider, ObjectIndex{15}));
  provider.object_list = "15 17";
  EXPECT_TRUE(lists(provider, ObjectIndex{15}));
  EXPECT_TRUE(lists(provider, ObjectIndex{17}));
  EXPECT_FALSE(lists(provider, ObjectIndex{16}));
  EXPECT_FALSE(lists(provider, ObjectIndex{1}));
}

TEST(RuleCase, OfSeveralNamesTheOneThatWasDeliveredOrIsKnownIsJudged) {
  World world = healthy_world();
  NameFacts unknown;
  unknown.name = "Gadgets";
  NameFacts other;
  other.name = "Other";
  other.indices = {ObjectIndex{9'000}};
  world.facts.names = {unknown, other, world.facts.names[0]};
  EXPECT_EQ(case_of(world).name->name, "Things");
  world.absent();
  EXPECT_EQ(case_of(world).name->name, "Other");
  world.facts.names = {unknown};
  EXPECT_EQ(case_of(world).name->name, "Gadgets");
  EXPECT_FALSE(case_of(world).name_known());
}

}  // namespace
}  // namespace winperf::testing
