#include "collectors/diagnosis/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "collectors/base/stop.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/support/block_builder.h"

namespace winperf::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::uint32_t kRawBase = 0x40030403;

PlannedCounterset planned(std::vector<std::string> names) {
  PlannedCounterset counterset;
  counterset.label = names.front();
  counterset.names = std::move(names);
  return counterset;
}

ObjectBuilder things(std::uint32_t index = 8) {
  return ObjectBuilder(index)
      .counter({.index = 10})
      .counter({.index = 12, .type = 0x20020400})
      .counter({.index = 12, .type = kRawBase})
      .instance({.name = u"one", .values = {1, 2, 3}})
      .instance({.name = u"two", .values = {1, 2, 3}})
      .instance({.values = {1, 2, 3}, .unique_id = 7});
}

Bytes block_of(const ObjectBuilder& object) { return BlockBuilder().add(object).bytes(); }

class TrialTest : public ::testing::Test {
 protected:
  TrialTest() {
    source_.names = {
        {8, u"Things"}, {10, u"Red"}, {12, u"Green"}, {20, u"Process V2"}, {1008, u"things"}};
    source_.replies["8 1008"] = {block_of(things())};
  }

  CountersetFacts try_one(const PlannedCounterset& counterset) {
    const CatalogKeeper catalog(source_, Language::kEnglish, {});
    return try_countersets(source_, catalog, std::vector{counterset}).at(0);
  }
  CountersetFacts replay_one(const PlannedCounterset& counterset) {
    const CatalogKeeper catalog(source_, Language::kEnglish, {});
    return try_capture(source_, catalog, std::vector{counterset}).at(0);
  }

  FakeSource source_;
};

TEST_F(TrialTest, CountsWhatIsDelivered) {
  const CountersetFacts facts = try_one(planned({"Things"}));
  ASSERT_TRUE(facts.trial && facts.trial->object);
  const DeliveredObject& object = *facts.trial->object;
  EXPECT_EQ(object.index, ObjectIndex{8});
  EXPECT_EQ(object.name, "Things");
  EXPECT_TRUE(object.multi_instance);
  EXPECT_EQ(object.counters, 2u) << "a base is no counter";
  EXPECT_EQ(object.matching_counters, 2u);
  EXPECT_EQ(object.instances, 3u);
  EXPECT_EQ(object.matching_instances, 3u);
  EXPECT_THAT(object.counter_names, ElementsAre("Red", "Green"));
  EXPECT_THAT(object.instance_names, ElementsAre("one", "two", "7"));
  EXPECT_TRUE(facts.trial->took.has_value());
  EXPECT_THAT(facts.trial->problems, IsEmpty());
}

TEST_F(TrialTest, CountsWhatTheFiltersLetThrough) {
  PlannedCounterset counterset = planned({"Things"});
  counterset.selection.instances = [](std::string_view name) { return name == "two"; };
  counterset.selection.counters = [](const CounterSchema&) { return false; };
  const DeliveredObject object = *try_one(counterset).trial->object;
  EXPECT_EQ(object.matching_instances, 1u);
  EXPECT_EQ(object.matching_counters, 0u);
}

TEST_F(TrialTest, OfTwoObjectsWithOneNameTheSystemsCounts) {
  for (const auto& [first, second] : {std::pair{1008u, 8u}, std::pair{8u, 1008u}}) {
    source_.replies["8 1008"] = {BlockBuilder().add(things(first)).add(things(second)).bytes()};
    EXPECT_EQ(try_one(planned({"Things"})).trial->object->index, ObjectIndex{8});
  }
}

TEST_F(TrialTest, AnUnknownNameIsNotAskedFor) {
  const CountersetFacts facts = try_one(planned({"Thinks"}));
  EXPECT_FALSE(facts.trial);
  EXPECT_EQ(facts.names.at(0).nearest, "Things");
  EXPECT_THAT(source_.asked, IsEmpty());
}

TEST_F(TrialTest, AReplacementIsNamedWhereTheMachineHasIt) {
  EXPECT_EQ(try_one(planned({"process"})).names.at(0).replacement, "Process V2");
  EXPECT_EQ(try_one(planned({"Processor"})).names.at(0).replacement, "");
}

TEST_F(TrialTest, ANumberKnowsItsName) {
  source_.replies["8"] = {block_of(things())};
  const CountersetFacts facts = try_one(planned({"8"}));
  EXPECT_EQ(facts.names.at(0).text, "Things");
  EXPECT_TRUE(facts.trial->object);
}

TEST_F(TrialTest, AlternativesAreTriedUpToTheFirstThatIsDelivered) {
  source_.replies["20"] = {BlockBuilder().bytes()};
  const CountersetFacts facts = try_one(planned({"Nothing", "Process V2", "Things", "Green"}));
  EXPECT_TRUE(facts.trial->object);
  EXPECT_THAT(source_.asked, ElementsAre("20", "8 1008"));
}

TEST_F(TrialTest, OfAlternativesThatAllFailTheFirstSaysWhy) {
  source_.replies["8 1008"] = {std::unexpected(Error{.code = ErrorCode::kTimedOut})};
  const CountersetFacts facts = try_one(planned({"Things", "Process V2"}));
  ASSERT_TRUE(facts.trial->error);
  EXPECT_EQ(facts.trial->error->code, ErrorCode::kTimedOut);
}

TEST_F(TrialTest, DamageIsReportedAndWhatIsBeforeItIsCounted) {
  const BuiltBlock built = BlockBuilder().add(things()).build();
  const std::size_t second = built.objects[0].instances[1].offset;
  source_.replies["8 1008"] = {built.with(second, 0)};
  const TrialFacts trial = *try_one(planned({"Things"})).trial;
  ASSERT_TRUE(trial.object);
  EXPECT_EQ(trial.object->instances, 1u);
  EXPECT_EQ(trial.problems.size(), 1u);
}

TEST_F(TrialTest, EveryTruncationIsReportedOrHarmless) {
  const Bytes whole = block_of(things());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    source_.replies["8 1008"] = {
        Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))};
    const TrialFacts trial = *try_one(planned({"Things"})).trial;
    EXPECT_FALSE(trial.problems.empty() && !trial.object) << size;
  }
}

TEST_F(TrialTest, ACaptureIsReadUntilEverythingIsFound) {
  source_.replies["Global"] = {BlockBuilder().bytes(), block_of(things()),
                               std::unexpected(Error{.code = ErrorCode::kEndOfCapture})};
  const CountersetFacts facts = replay_one(planned({"Things"}));
  EXPECT_TRUE(facts.trial->object);
  EXPECT_FALSE(facts.trial->took);
  EXPECT_THAT(source_.asked, ElementsAre("Global", "Global"));
}

TEST_F(TrialTest, OfACaptureTheFirstNameThatIsFoundCounts) {
  for (const char* const other : {"Process V2", "Nothing"}) {
    source_.replies["Global"] = {BlockBuilder().add(things(8)).add(things(20)).bytes(),
                                 std::unexpected(Error{.code = ErrorCode::kEndOfCapture})};
    const CountersetFacts facts = replay_one(planned({"Things", other}));
    ASSERT_TRUE(facts.trial->object) << other;
    EXPECT_EQ(facts.trial->object->index, ObjectIndex{8}) << other;
  }
}

TEST_F(TrialTest, OfACaptureEachCountersetIsReadUntilItIsFound) {
  source_.replies["Global"] = {block_of(things()),
                               std::unexpected(Error{.code = ErrorCode::kNoSuchFile}),
                               std::unexpected(Error{.code = ErrorCode::kEndOfCapture})};
  const CatalogKeeper catalog(source_, Language::kEnglish, {});
  const auto facts =
      try_capture(source_, catalog,
                  std::vector{planned({"Things"}), planned({"Process V2"}), planned({"Thinks"})});
  EXPECT_TRUE(facts[0].trial->object);
  EXPECT_THAT(facts[0].trial->problems, IsEmpty()) << "it was found before";
  EXPECT_FALSE(facts[1].trial->object);
  EXPECT_EQ(facts[1].trial->problems.size(), 1u);
  EXPECT_FALSE(facts[2].trial) << "its name is not known";
}

TEST_F(TrialTest, ACaptureWithoutTheObjectIsReadToItsEnd) {
  source_.replies["Global"] = {BlockBuilder().bytes(),
                               std::unexpected(Error{.code = ErrorCode::kNoSuchFile}),
                               std::unexpected(Error{.code = ErrorCode::kEndOfCapture})};
  const CountersetFacts facts = replay_one(planned({"Things"}));
  EXPECT_FALSE(facts.trial->object);
  EXPECT_FALSE(facts.trial->error);
  EXPECT_EQ(facts.trial->problems.size(), 1u) << "the sample that could not be read";
}

TEST_F(TrialTest, NameTablesAndTheNamesOfProvidersAreCounted) {
  MachineFacts machine;
  machine.providers.resize(3);
  machine.providers[0].first_counter = 8;
  machine.providers[0].last_counter = 14;
  machine.providers[1].first_counter = 0;
  machine.providers[1].last_counter = 0xFFFFFFFF;
  note_name_tables(machine, source_);
  ASSERT_EQ(machine.name_tables.size(), 1u);
  EXPECT_EQ(machine.name_tables[0].names, 5u);
  EXPECT_EQ(machine.name_tables[0].highest_index, 1008u);
  EXPECT_EQ(machine.providers[0].named, 3u);
  EXPECT_EQ(machine.providers[0].nameless, 1u);
  EXPECT_EQ(machine.providers[1].named, 5u);
  EXPECT_LT(machine.providers[1].nameless, 100'000u) << "a range from the registry is bounded";
  EXPECT_EQ(machine.providers[2].nameless, 0u);
}

TEST_F(TrialTest, TheNamesOfAProviderAreCountedIfBothEndsAreKnown) {
  MachineFacts machine;
  machine.providers.resize(2);
  machine.providers[0].first_counter = 8;
  machine.providers[1].last_counter = 0xFFFFFFFF;
  note_name_tables(machine, source_);
  for (const ProviderFacts& provider : machine.providers) {
    EXPECT_EQ(provider.named, 0u);
    EXPECT_EQ(provider.nameless, 0u);
  }
}

TEST_F(TrialTest, ANameTableThatCanNotBeReadHasNoNamesButAnError) {
  class Unreadable final : public CounterSource {
   public:
    std::expected<Reply, Error> query(std::string_view, StopToken) override { return Reply{}; }
    std::vector<std::expected<Bytes, Error>> text_tables(TextTable, Language) override {
      return {std::unexpected(Error{.code = ErrorCode::kNoSuchFile})};
    }
    bool supports_metadata() override { return false; }
    std::uint64_t provider_generation() override { return 0; }
    void release() override {}
  };
  Unreadable source;
  MachineFacts machine;
  note_name_tables(machine, source);
  ASSERT_EQ(machine.name_tables.size(), 1u);
  EXPECT_TRUE(machine.name_tables[0].foreign.empty());
  EXPECT_EQ(machine.name_tables[0].error->code, ErrorCode::kNoSuchFile);
  EXPECT_EQ(machine.name_tables[0].names, 0u);
  EXPECT_EQ(machine.name_tables[0].highest_index, 0u);
}

}  // namespace
}  // namespace winperf::testing
