// What is found out about V2 countersets by reading them.
#include <gmock/gmock.h>

#include "collectors/diagnosis/trial.h"
#include "tests/collectors/sampling/perflib/fake_perflib.h"

namespace winperf::testing {
namespace {

using ::testing::ElementsAre;

using v2::InstanceType;

simulator::CountersetDefinition defined(const Guid& guid, std::u16string name,
                                        InstanceType type = InstanceType::kMultiple) {
  return {.guid = guid,
          .name = std::move(name),
          .instance_type = type,
          .counters = {{.id = 1, .name = u"Open"}, {.id = 2, .name = u"Full"}}};
}

class V2TrialTest : public ::testing::Test {
 protected:
  V2TrialTest() {
    api_.countersets = {defined(kShop, u"Shop"), defined(kBakery, u"Bakery")};
    api_.result = [this](const v2::CounterRequest& request) {
      const auto set = std::ranges::find(api_.countersets, request.counterset,
                                         &simulator::CountersetDefinition::guid);
      const bool many = set->instance_type != InstanceType::kSingle;
      return simulator::table_result(
          {.counterset = *set, .columns = {0, 1}, .rows = rows_, .has_instances = many});
    };
  }

  static PlannedCounterset planned(std::vector<std::string> names) {
    PlannedCounterset counterset;
    counterset.label = names.front();
    counterset.names = std::move(names);
    return counterset;
  }

  // `facts_` before: what the registry has said.
  void try_all(const std::vector<PlannedCounterset>& countersets) {
    facts_.resize(countersets.size());
    try_v2_countersets(api_.source, Language::kEnglish, countersets, machine_, facts_);
  }

  static TrialFacts v1_trial(bool delivered) {
    TrialFacts trial;
    trial.error = Error{.code = ErrorCode::kTimedOut};
    if (delivered) trial.object.emplace().name = "by the registry";
    return trial;
  }

  FakePerflib api_;
  std::vector<simulator::InstanceValues> rows_{{u"a", 1, {1, 2}}, {u"b", 2, {3, 4}}};
  MachineFacts machine_;
  std::vector<CountersetFacts> facts_;
};

TEST_F(V2TrialTest, EveryRegisteredCountersetIsListedAndThoseThatAreTriedAreKnown) {
  api_.provider_name = u"Trade";
  try_all({planned({"Shop"})});
  ASSERT_TRUE(machine_.v2);
  ASSERT_EQ(machine_.v2->size(), 2u);
  const V2CountersetFacts& shop = machine_.v2->at(0);
  EXPECT_EQ(shop.name, "Shop");
  EXPECT_EQ(shop.guid, kShop);
  EXPECT_EQ(shop.provider, "Trade");
  EXPECT_EQ(shop.running, true);
  const V2CountersetFacts& bakery = machine_.v2->at(1);
  EXPECT_EQ(bakery.name, "Bakery");
  EXPECT_EQ(bakery.provider, "");
  EXPECT_EQ(bakery.running, std::nullopt);
}

TEST_F(V2TrialTest, WhatIsDeliveredIsCountedWithoutTheFiltersAndWithThem) {
  PlannedCounterset counterset = planned({"Shop"});
  counterset.selection.instances = [](std::string_view name) { return name == "b"; };
  counterset.selection.counters = [](const CounterSchema&) { return false; };
  try_all({counterset});
  ASSERT_TRUE(facts_[0].trial && facts_[0].trial->object);
  const DeliveredObject& object = *facts_[0].trial->object;
  EXPECT_EQ(object.instances, 2u);
  EXPECT_EQ(object.matching_instances, 1u);
  EXPECT_EQ(object.counters, 2u);
  EXPECT_EQ(object.matching_counters, 0u);
  EXPECT_TRUE(facts_[0].trial->took);
  EXPECT_FALSE(facts_[0].trial->error);
}

TEST_F(V2TrialTest, AProviderRunsIfItDeliversAnInstanceOrNeedsNone) {
  rows_.clear();
  try_all({planned({"Shop"})});
  EXPECT_EQ(machine_.v2->at(0).running, false);
  EXPECT_FALSE(facts_[0].trial->object) << "what does not run delivers nothing";

  rows_ = {{.values = {1, 2}}};
  api_.countersets[0].instance_type = InstanceType::kSingle;
  try_all({planned({"Shop"})});
  EXPECT_EQ(machine_.v2->at(0).running, true);
  EXPECT_TRUE(facts_[0].trial->object);

  api_.data_status = OsCode::kInstanceNotFound;
  facts_.clear();
  try_all({planned({"Shop"})});
  EXPECT_EQ(machine_.v2->at(0).running, false);
  EXPECT_TRUE(facts_[0].trial->error);
}

TEST_F(V2TrialTest, ReplacesWhatTheRegistrySaysUnlessOnlyThatDelivers) {
  facts_.resize(3);
  facts_[1].trial = v1_trial(false);
  facts_[2].trial = v1_trial(true);
  api_.data_status = OsCode::kAccessDenied;
  const std::vector all(3, planned({"Shop"}));
  try_all(all);
  for (const std::size_t i : {0U, 1U}) {
    ASSERT_TRUE(facts_[i].trial && facts_[i].trial->error) << i;
    EXPECT_EQ(facts_[i].trial->error->code, ErrorCode::kAccessDenied) << i;
  }
  EXPECT_EQ(facts_[2].trial->object->name, "by the registry");
  api_.data_status = OsCode::kSuccess;
  try_all(all);
  for (const CountersetFacts& facts : facts_) EXPECT_EQ(facts.trial->object->name, "Shop");
}

TEST_F(V2TrialTest, IsMadeOfTheFirstNameThatIsKnownAndNotByTheRegistrysPath) {
  PlannedCounterset by_registry = planned({"Shop"});
  by_registry.path = CounterPath::kRegistry;
  try_all({planned({"Market", "Bakery", "Shop"}), by_registry, planned({"Market"})});
  EXPECT_EQ(facts_[0].trial->object->name, "Bakery");
  EXPECT_FALSE(facts_[1].trial);
  EXPECT_FALSE(facts_[2].trial);
  EXPECT_EQ(machine_.v2->at(0).running, std::nullopt);
  EXPECT_EQ(machine_.v2->at(1).running, true);
}

// A provider that is slow or damaged is no problem of another one.
TEST_F(V2TrialTest, AsksForOneCountersetAtATime) {
  std::vector<std::size_t> requests;
  const auto answer = api_.result;
  api_.result = [&](const v2::CounterRequest& request) {
    requests.push_back(api_.requests().size());
    return answer(request);
  };
  try_all({planned({"Shop"}), planned({"Bakery"})});
  EXPECT_THAT(requests, ElementsAre(1u, 1u));
  EXPECT_THAT(api_.added, ::testing::IsEmpty());
}

TEST_F(V2TrialTest, WithoutAListOfCountersetsNothingIsKnown) {
  api_.list_status = OsCode::kAccessDenied;
  try_all({planned({"Shop"})});
  EXPECT_EQ(machine_.v2, std::nullopt);
  EXPECT_FALSE(facts_[0].trial);
}

}  // namespace
}  // namespace winperf::testing
