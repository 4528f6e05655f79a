// Which path a counterset is read by, what is asked of it, and what happens where it fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <tuple>

#include "tests/simulator/codes.h"
#include "tests/simulator/every_type.h"
#include "tests/simulator/path_pair.h"
#include "tests/simulator/processor_information.h"
#include "tests/simulator/standard_machine.h"
#include "tests/simulator/user_provider.h"
#include "tests/support/thorough.h"

namespace winperf::simulator {
namespace {

using ::testing::SizeIs;

const Guid kShop = *parse_guid("22222222-0000-0000-0000-000000000001");
const Guid kShopProvider = *parse_guid("22222222-0000-0000-0000-0000000000ff");

CountersetDefinition shop() {
  return {.guid = kShop,
          .name = u"Shop",
          .counters = {{.id = 1, .name = u"Customers", .type = 0x00010000, .bytes = 4},
                       {.id = 2, .name = u"Sales/sec", .type = 0x10410400, .bytes = 4},
                       {.id = 3, .name = u"Basket", .type = 0x40020500, .bytes = 8, .base_id = 4},
                       {.id = 4,
                        .name = u"Basket Base",
                        .type = 0x40030402,
                        .bytes = 4,
                        .attributes = v2::kAttribNotDisplayed}}};
}

class Paths : public ::testing::Test {
 protected:
  Paths()
      : provider_(std::make_shared<UserProvider>(kShopProvider, u"Shops",
                                                 std::vector<CountersetDefinition>{shop()})) {
    furnish(machine_);
    machine_.add(provider_);
    provider_->create_instance(north_);
    provider_->create_instance(south_);
  }

  Machine machine_;
  std::shared_ptr<UserProvider> provider_;
  const UserProvider::InstanceKey north_{kShop, u"North", 1};
  const UserProvider::InstanceKey south_{kShop, u"South", 2};
};

CounterPath path_of(const CountersetState& state) { return state.sample->schema->path; }

TEST_F(Paths, AutoReadsEachByItsOwn) {
  SimulatedSampler sampler(machine_, {planned("Shop"), planned("System"), planned("Thing")});
  sampler.round();
  ASSERT_TRUE(sampler.state(0).success) << sampler.all_problems();
  EXPECT_EQ(path_of(sampler.state(0)), CounterPath::kPerflib);
  EXPECT_EQ(path_of(sampler.state(1)), CounterPath::kRegistry);
  EXPECT_EQ(path_of(sampler.state(2)), CounterPath::kRegistry);
  for (const std::u16string& query : sampler.registry().queries())
    EXPECT_THAT(utf8(query), ::testing::AnyOf("Counter 009", "Help 009", "2", "2000"))
        << "no V2 provider is asked through the registry";
}

TEST_F(Paths, ACountersetIsFoundByItsGuidToo) {
  SimulatedSampler sampler(machine_, {planned(to_string(kShop))});
  sampler.round();
  ASSERT_TRUE(sampler.state().success) << sampler.all_problems();
  EXPECT_EQ(sampler.state().sample->schema->name, "Shop");
}

TEST_F(Paths, AnAlternativeIsTakenWhereTheFirstNameIsNotThere) {
  PlannedCounterset counterset = planned("Warehouse");
  counterset.names = {"Warehouse", "Shop"};
  SimulatedSampler sampler(machine_, {counterset});
  sampler.round();
  ASSERT_TRUE(sampler.state().success);
  EXPECT_EQ(sampler.state().sample->schema->name, "Shop");
}

TEST_F(Paths, OneHandleServesManyCountersets) {
  SimulatedSampler sampler(machine_, {planned("Shop"), planned("Processor Information"),
                                      planned("Every Type"), planned("Every Type Single")});
  for (int i = 0; i < 3; ++i) {
    sampler.round();
    machine_.advance(1);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(sampler.state(i).success) << i;
    EXPECT_EQ(path_of(sampler.state(i)), CounterPath::kPerflib) << i;
  }
  EXPECT_EQ(sampler.state(0).sample->schema->name, "Shop");
  EXPECT_EQ(sampler.state(1).sample->schema->name, "Processor Information");
  EXPECT_EQ(sampler.state(2).sample->schema->name, "Every Type");
  EXPECT_EQ(sampler.state(3).sample->schema->name, "Every Type Single");
  EXPECT_EQ(sampler.perflib().calls().open, 1);
  EXPECT_LE(sampler.perflib().calls().info, 4) << "asked after changes, not every time";
}

TEST_F(Paths, OtherIntervalsHaveTheirOwnHandle) {
  PlannedCounterset slow = planned("Processor Information");
  slow.interval = std::chrono::seconds(10);
  SimulatedSampler sampler(machine_, {planned("Shop"), slow});
  for (int i = 0; i < 3; ++i) sampler.round();
  EXPECT_EQ(sampler.perflib().open_queries(), 2u);
  EXPECT_EQ(sampler.state(0).attempts, 3u);
  EXPECT_EQ(sampler.state(1).attempts, 1u);
}

TEST_F(Paths, FiltersArePushedDown) {
  PlannedCounterset some = planned("Shop");
  some.selection.instances = [](std::string_view name) { return name.starts_with("N"); };
  some.selection.instance_pattern = "n*";
  some.selection.counters = [](const CounterSchema& counter) {
    return counter.name == "Customers";
  };
  some.selection.one_counter = "Customers";
  provider_->set_value(north_, 1, 7);
  SimulatedSampler sampler(machine_, {some});
  sampler.round();
  ASSERT_TRUE(sampler.state().success) << sampler.all_problems();
  const std::vector<Mask> masks = sampler.perflib().masks();
  ASSERT_THAT(masks, SizeIs(1));
  EXPECT_EQ(masks[0].counter_id, 1u);
  EXPECT_EQ(utf8(masks[0].instance_name), "n*");
  const CountersetSample& sample = *sampler.state().sample;
  ASSERT_EQ(sample.rows(), 1u);
  ASSERT_EQ(sample.columns(), 1u);
  EXPECT_EQ(sample.instances->instances[0].name, "North");
  EXPECT_EQ(sample.raw[0], 7u);
}

TEST_F(Paths, ACounterThatNeedsAnotherIsAskedForWithAll) {
  PlannedCounterset some = planned("Shop");
  some.selection.counters = [](const CounterSchema& counter) { return counter.name == "Basket"; };
  some.selection.one_counter = "Basket";
  SimulatedSampler sampler(machine_, {some});
  sampler.round();
  EXPECT_EQ(sampler.perflib().masks().at(0).counter_id, v2::kAllCounters);
  EXPECT_TRUE(sampler.state().sample->schema->counters.at(0).has_base);
}

TEST_F(Paths, OneInstanceByItsId) {
  PlannedCounterset some = planned("Shop");
  some.selection.instance_id = 2;
  SimulatedSampler sampler(machine_, {some});
  sampler.round();
  ASSERT_EQ(sampler.state().sample->rows(), 1u);
  EXPECT_EQ(sampler.state().sample->instances->instances[0].name, "South");
  EXPECT_EQ(sampler.perflib().masks().at(0).instance_id, 2u);
}

TEST_F(Paths, OneCounterOfOneInstanceComesWithoutEither) {
  PlannedCounterset some = planned("Shop");
  some.selection.instance_pattern = "South";
  some.selection.one_counter = "Customers";
  some.selection.counters = [](const CounterSchema& counter) {
    return counter.name == "Customers";
  };
  provider_->set_value(south_, 1, 9);
  SimulatedSampler sampler(machine_, {some});
  sampler.round();
  ASSERT_TRUE(sampler.state().success) << sampler.all_problems();
  ASSERT_EQ(sampler.state().sample->rows(), 1u);
  EXPECT_EQ(sampler.state().sample->instances->instances[0].name, "South");
  EXPECT_EQ(sampler.state().sample->raw[0], 9u);
}

TEST_F(Paths, TheRegistryStepsInWherePerflibFails) {
  SimulatedSampler sampler(machine_, {planned("Shop")});
  machine_.faults.fail(Point::kData, kAccessDenied, 1);
  sampler.round();
  ASSERT_TRUE(sampler.state().success) << sampler.all_problems();
  EXPECT_EQ(path_of(sampler.state()), CounterPath::kRegistry);
  ASSERT_TRUE(sampler.state().preferred_path_error.has_value());
  EXPECT_EQ(sampler.state().preferred_path_error->code, ErrorCode::kAccessDenied);
  EXPECT_EQ(sampler.problems(ErrorCode::kAccessDenied), 1u);

  sampler.round();
  EXPECT_EQ(path_of(sampler.state()), CounterPath::kRegistry) << "PerfLib rests for a minute";
  EXPECT_TRUE(sampler.state().preferred_path_error.has_value());
  sampler.pass(std::chrono::minutes(1));
  sampler.round();
  EXPECT_EQ(path_of(sampler.state()), CounterPath::kPerflib);
  EXPECT_FALSE(sampler.state().preferred_path_error.has_value());
}

// The names of all V2 countersets fail when the machine's list is read for the first time.
TEST_F(Paths, ANameThatFailedOnceIsFoundWithinSeconds) {
  for (const CounterPath choice : {CounterPath::kPerflib, CounterPath::kAuto}) {
    machine_.faults.fail(Point::kRegistration, kNoSystemResources, 100);
    SimulatedSampler sampler(machine_, {planned("Shop", choice)});
    machine_.faults.clear();
    sampler.round();
    EXPECT_GE(sampler.problems(ErrorCode::kOsError), 1u) << "counted";
    if (choice == CounterPath::kPerflib) {
      ASSERT_FALSE(sampler.state().success);
      EXPECT_EQ(sampler.state().error->os_code, kNoSystemResources)
          << "nobody knows that it is not registered";
    } else {
      ASSERT_TRUE(sampler.state().success) << sampler.all_problems();
      EXPECT_EQ(path_of(sampler.state()), CounterPath::kRegistry);
      ASSERT_TRUE(sampler.state().preferred_path_error.has_value()) << "auto says so";
      EXPECT_EQ(sampler.state().preferred_path_error->os_code, kNoSystemResources);
    }
    sampler.pass(std::chrono::seconds(4));
    sampler.round();
    ASSERT_TRUE(sampler.state().success) << sampler.all_problems();
    EXPECT_EQ(path_of(sampler.state()), CounterPath::kPerflib);
    EXPECT_FALSE(sampler.state().preferred_path_error.has_value());
  }
}

// 5, 10, 20, 40, 80 and 160 seconds after one another, and then with the list itself.
TEST_F(Paths, NamesThatFailAreAskedForLessAndLess) {
  SimulatedSampler sampler(machine_, {planned("System")});
  machine_.faults.fail(Point::kRegistration, kNoSystemResources, 10'000);
  const Guid more = *parse_guid("33333333-0000-0000-0000-000000000001");
  machine_.add(std::make_shared<UserProvider>(
      *parse_guid("33333333-0000-0000-0000-0000000000ff"), u"More",
      std::vector<CountersetDefinition>{{.guid = more, .name = u"More", .counters = {{.id = 1}}}}));
  sampler.pass(std::chrono::minutes(5));
  sampler.round();
  int asked = sampler.perflib().calls().registration;
  std::vector<int> asked_at;
  for (int second = 1; second <= 299; ++second) {
    sampler.round();
    if (sampler.perflib().calls().registration != asked) asked_at.push_back(second);
    asked = sampler.perflib().calls().registration;
  }
  EXPECT_EQ(asked_at, (std::vector{5, 15, 35, 75, 155}));
}

TEST_F(Paths, WhatIsNewAboutACountersetIsTold) {
  using enum StateChange;
  const auto failing = [](ErrorCode code) {
    CountersetState state;
    state.attempts = 1;
    state.error = Error{.code = code};
    return state;
  };
  const CountersetState never;
  const CountersetState bad = failing(ErrorCode::kBusy);
  const CountersetState worse = failing(ErrorCode::kNoSuchName);
  CountersetState good;
  good.attempts = 1;
  good.success = true;
  CountersetState other = good;
  other.preferred_path_error = Error{};
  const std::vector<std::tuple<CountersetState, CountersetState, std::optional<StateChange>>>
      kCases{{never, good, {}},
             {never, bad, kFails},
             {never, other, kFallsBack},
             {good, good, {}},
             {good, bad, kFails},
             {good, other, kFallsBack},
             {bad, bad, {}},
             {bad, worse, kFailsOtherwise},
             {bad, good, kWorks},
             {bad, other, kFallsBack},
             {other, other, {}},
             {other, good, kPathRestored},
             {other, bad, kFails}};
  for (std::size_t i = 0; i < kCases.size(); ++i)
    EXPECT_EQ(change_between(std::get<0>(kCases[i]), std::get<1>(kCases[i])),
              std::get<2>(kCases[i]))
        << i;
}

TEST_F(Paths, WithoutASecondPathAFailureIsAFailure) {
  SimulatedSampler sampler(machine_, {planned("Shop", CounterPath::kPerflib)});
  machine_.faults.fail(Point::kData, kAccessDenied, 1);
  sampler.round();
  EXPECT_FALSE(sampler.state().success);
  EXPECT_EQ(sampler.state().error->code, ErrorCode::kAccessDenied);
  sampler.round();
  EXPECT_TRUE(sampler.state().success) << "the handle is opened anew";
  EXPECT_EQ(sampler.perflib().calls().open, 2);
}

TEST_F(Paths, PerflibKnowsNoV1Objects) {
  SimulatedSampler sampler(machine_, {planned("System", CounterPath::kPerflib)});
  sampler.round();
  EXPECT_EQ(sampler.state().error->code, ErrorCode::kNotRegistered);
}

TEST_F(Paths, TheRegistryAloneReadsV2Too) {
  SimulatedSampler sampler(machine_, {planned("Shop", CounterPath::kRegistry)});
  sampler.round();
  ASSERT_TRUE(sampler.state().success) << sampler.all_problems();
  EXPECT_EQ(path_of(sampler.state()), CounterPath::kRegistry);
  EXPECT_EQ(sampler.perflib().calls().open, 0);
}

TEST_F(Paths, AProviderThatDoesNotRunIsNoFailureOfInstances) {
  SimulatedSampler sampler(machine_, {planned("Shop")});
  sampler.round();
  provider_->stop();
  sampler.round();
  ASSERT_TRUE(sampler.state().success) << sampler.all_problems();
  EXPECT_EQ(sampler.state().sample->rows(), 0u);
  EXPECT_EQ(sampler.registry().queries().size(), 2u) << "the two name tables and nothing else";
  provider_->start();
  provider_->create_instance(north_);
  sampler.round();
  ASSERT_EQ(sampler.state().sample->rows(), 1u);
  EXPECT_EQ(sampler.state().sample->reason[1], NoValue::kFirstSample)
      << "a provider that comes back counts from zero";
}

TEST_F(Paths, AnInstanceThatCanNotBeAddedYetIsNoFailureEither) {
  PlannedCounterset some = planned("Shop", CounterPath::kPerflib);
  some.selection.instance_pattern = "East";
  SimulatedSampler sampler(machine_, {some});
  provider_->refuse_additions(kPathNotFound);
  sampler.round();
  ASSERT_TRUE(sampler.state().success) << sampler.all_problems();
  EXPECT_EQ(sampler.state().sample->rows(), 0u);
  provider_->refuse_additions(kSuccess);
  provider_->create_instance({kShop, u"East", 3});
  sampler.round();
  EXPECT_EQ(sampler.state().sample->rows(), 1u) << sampler.all_problems();
}

TEST_F(Paths, WhatTheRegistryHasDoesNotMakePerflibLookAgain) {
  SimulatedSampler sampler(machine_, {planned("System"), planned("Shop")});
  sampler.round();
  const int enumerated = sampler.perflib().calls().enumerate;
  for (int i = 0; i < 3; ++i) {
    sampler.pass(std::chrono::minutes(1));
    sampler.round();
  }
  EXPECT_EQ(sampler.perflib().calls().enumerate, enumerated);
}

TEST_F(Paths, AnInstanceThatIsBornAgainStartsAnew) {
  SimulatedSampler sampler(machine_, {planned("Shop")});
  provider_->set_value(north_, 2, 1'000);
  sampler.round();
  machine_.advance(1);
  provider_->set_value(north_, 2, 1'050);
  sampler.round();
  const auto sales = [&](std::size_t row) { return sampler.state().sample->cell(row, 1); };
  EXPECT_DOUBLE_EQ(sampler.state().sample->cooked[sales(0)], 50.0);
  // The same name with another id is another shop.
  provider_->delete_instance(north_);
  provider_->create_instance({kShop, u"North", 9});
  provider_->set_value({kShop, u"North", 9}, 2, 2'000);
  machine_.advance(1);
  sampler.round();
  const CountersetSample& sample = *sampler.state().sample;
  ASSERT_EQ(sample.instances->instances[1].unique_id, 9u);
  EXPECT_EQ(sample.reason[sales(1)], NoValue::kFirstSample);
  EXPECT_EQ(sample.total_at(sales(1)), 2'000u);
}

TEST_F(Paths, ThirtyTwoBitCountersGoOnAcrossTheirWrap) {
  SimulatedSampler sampler(machine_, {planned("Shop")});
  provider_->set_value(north_, 2, 0xFFFF'FFF0);
  sampler.round();
  provider_->set_value(north_, 2, 0x10);
  machine_.advance(1);
  sampler.round();
  const CountersetSample& sample = *sampler.state().sample;
  EXPECT_EQ(sample.total_at(sample.cell(0, 1)), 0x1'0000'0010u);
  EXPECT_DOUBLE_EQ(sample.cooked[sample.cell(0, 1)], 32.0);
}

// As where no instance is active: Windows has one status for both.
TEST_F(Paths, AReferenceToNothingIsNoInstance) {
  SimulatedSampler sampler(machine_, {planned("Shop", CounterPath::kPerflib)});
  std::uint64_t customers = 5;
  provider_->set_reference(north_, 1, &customers);
  sampler.round();
  EXPECT_EQ(sampler.state().sample->raw[0], 5u);
  provider_->set_reference(north_, 1, nullptr);
  sampler.round();
  EXPECT_TRUE(sampler.state().success);
  EXPECT_EQ(sampler.state().sample->rows(), 0u);
}

TEST_F(Paths, AProviderThatIsInstalledLaterIsFound) {
  Machine machine;
  SimulatedSampler sampler(machine, {planned("Shop")});
  sampler.round();
  EXPECT_EQ(sampler.state().error->code, ErrorCode::kNoSuchName);
  machine.add(provider_);
  sampler.pass(std::chrono::minutes(1));
  sampler.round();
  EXPECT_TRUE(sampler.state().success) << sampler.all_problems();
  EXPECT_EQ(path_of(sampler.state()), CounterPath::kPerflib);
}

TEST_F(Paths, AProviderThatIsInstalledAnewIsReadAnew) {
  SimulatedSampler sampler(machine_, {planned("Shop")});
  sampler.round();
  machine_.remove_v2(kShopProvider);
  CountersetDefinition changed = shop();
  changed.counters.push_back({.id = 8, .name = u"Staff"});
  auto newer = std::make_shared<UserProvider>(kShopProvider, u"Shops",
                                              std::vector<CountersetDefinition>{changed});
  newer->create_instance(north_);
  machine_.add(newer);
  sampler.pass(std::chrono::minutes(5));
  sampler.round();
  ASSERT_TRUE(sampler.state().success) << sampler.all_problems();
  ASSERT_EQ(sampler.state().sample->columns(), 4u);
  EXPECT_EQ(sampler.state().sample->schema->counters[3].name, "Staff");
}

TEST_F(Paths, ABaseOfAnotherSetIsNoBase) {
  CountersetDefinition orphan = shop();
  orphan.guid = *parse_guid("22222222-0000-0000-0000-000000000002");
  orphan.name = u"Orphan";
  orphan.counters.pop_back();  // id 4 is now only in the other set
  auto provider =
      std::make_shared<UserProvider>(*parse_guid("22222222-0000-0000-0000-0000000000fe"),
                                     u"Orphans", std::vector<CountersetDefinition>{orphan});
  provider->create_instance({orphan.guid, u"x", 1});
  machine_.add(provider);
  SimulatedSampler sampler(machine_, {planned("Orphan")});
  sampler.round();
  machine_.advance(1);
  sampler.round();
  const CountersetSample& sample = *sampler.state().sample;
  EXPECT_FALSE(sample.schema->counters[2].has_base);
  EXPECT_EQ(sample.reason[2], NoValue::kNoBase);
}

TEST_F(Paths, PercentagesEndAtAHundredWhereThatIsAskedFor) {
  CountersetDefinition busy = shop();
  busy.guid = *parse_guid("22222222-0000-0000-0000-000000000003");
  busy.name = u"Busy";
  busy.counters = {{.id = 1, .name = u"% Busy", .type = 0x20510500, .bytes = 8},
                   {.id = 2, .name = u"Jobs/sec", .type = 0x10410500, .bytes = 8}};
  auto provider =
      std::make_shared<UserProvider>(*parse_guid("22222222-0000-0000-0000-0000000000fd"), u"Busy",
                                     std::vector<CountersetDefinition>{busy});
  const UserProvider::InstanceKey four{busy.guid, u"four processors", 1};
  provider->create_instance(four);
  machine_.add(provider);
  for (const CounterPath path : {CounterPath::kPerflib, CounterPath::kRegistry}) {
    PlannedCounterset capped = planned("Busy", path);
    capped.selection.cook.cap_percent = true;
    SimulatedSampler sampler(machine_, {planned("Busy", path), capped});
    sampler.round();
    machine_.advance(1);
    provider->increment(four, 1, 37'000'000);
    provider->increment(four, 2, 1'000);
    sampler.round();
    EXPECT_DOUBLE_EQ(sampler.state(0).sample->cooked[0], 370.0);
    EXPECT_DOUBLE_EQ(sampler.state(1).sample->cooked[0], 100.0);
    EXPECT_DOUBLE_EQ(sampler.state(1).sample->cooked[1], 1'000.0) << "not a percentage";
  }
}

TEST_F(Paths, ARemoteMachineIsPassedThrough) {
  SimulatedSampler sampler(machine_, {planned("Shop", CounterPath::kPerflib)}, "\\\\server");
  sampler.round();
  EXPECT_EQ(utf8(sampler.perflib().last_machine()), "\\\\server");
}

TEST_F(Paths, AnEmptyResultCostsItsCountersetAlone) {
  SimulatedSampler sampler(machine_, {planned("Shop", CounterPath::kPerflib),
                                      planned("Processor Information", CounterPath::kPerflib)});
  sampler.round();
  machine_.faults.tell({.counterset = kShop, .hides_instance = true});
  sampler.round();
  EXPECT_EQ(sampler.state(0).sample->rows(), 0u);
  EXPECT_TRUE(sampler.state(1).success);
  EXPECT_NE(sampler.state(1).sample->rows(), 0u);
}

// Whatever goes wrong: each round ends, every counterset has a sample or a reason, every cell a
// value or a reason, and when it is over all works again.
TEST_F(Paths, AStormOfFaultsPasses) {
  for (std::uint64_t seed = 1; seed <= testing::tried(8, 40); ++seed) {
    SCOPED_TRACE(seed);
    SimulatedSampler sampler(machine_, {planned("Shop"), planned("Processor Information"),
                                        planned("Every Type", CounterPath::kPerflib),
                                        planned("Every Type Sum"), planned("System")});
    machine_.faults.at_random(seed, 6);
    for (int i = 0; i < 25; ++i) {
      const auto sample = sampler.round();
      for (const CountersetState& state : sample->countersets) {
        ASSERT_EQ(state.success, !state.error.has_value());
        if (state.sample == nullptr) continue;
        const CountersetSample& values = *state.sample;
        ASSERT_EQ(values.raw.size(), values.rows() * values.columns());
        for (std::size_t cell = 0; cell < values.cooked.size(); ++cell) {
          if (values.reason[cell] == NoValue::kNone) {
            ASSERT_TRUE(std::isfinite(values.cooked[cell]));
          }
        }
      }
      machine_.advance(1);
    }
    machine_.faults.clear();
    sampler.pass(std::chrono::minutes(5));
    sampler.round();
    sampler.pass(std::chrono::minutes(5));
    sampler.round();
    for (std::size_t i = 0; i < 5; ++i) {
      EXPECT_TRUE(sampler.state(i).success) << i << ": " << sampler.all_problems();
      EXPECT_FALSE(sampler.state(i).preferred_path_error.has_value()) << i;
    }
  }
}

}  // namespace
}  // namespace winperf::simulator
