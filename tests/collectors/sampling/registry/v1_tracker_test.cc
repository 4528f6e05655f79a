// Follows built objects from sample to sample through ObjectSampler, as the sampler does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/wire/v1_format.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using testing::ByteVector;
using testing::FakeSource;
using testing::ObjectBuilder;

constexpr std::uint32_t kWidgets = 100, kTurns = 102, kOpen = 104, kFull = 106, kIdProcess = 784,
                        kElapsedTime = 684;
constexpr Frequency kPerf{1'000};

class TrackerTest : public ::testing::Test {
 protected:
  TrackerTest() {
    names_.names = {
        {kWidgets, u"Widgets"}, {kTurns, u"Turns/sec"},      {kOpen, u"Open"},
        {kFull, u"% Full"},     {kIdProcess, u"ID Process"}, {kElapsedTime, u"Elapsed Time"}};
    catalog_ = Catalog::load(names_, Language::kEnglish);
  }

  // The sample of the only object; each call is a second later.
  std::shared_ptr<const CountersetSample> take(const ObjectBuilder& object) {
    perf_ += kPerf.ticks_per_second;
    Reply reply{{BlockBuilder().add(object).perf_time({perf_}, kPerf).bytes()}};
    SampledObjects taken = sampler_.take(reply, catalog_, 1, {});
    problems_.insert(problems_.end(), taken.problems.begin(), taken.problems.end());
    return taken.samples.empty() ? nullptr : taken.samples.front();
  }

  static ObjectBuilder rates() {
    return ObjectBuilder(kWidgets).counter({.index = kTurns, .type = 0x10410400}).multi_instance();
  }

  static ObjectBuilder processes() {
    return ObjectBuilder(kWidgets)
        .counter({.index = kTurns, .type = 0x10410400})
        .counter({.index = kIdProcess})
        .counter({.index = kElapsedTime, .type = 0x30240500, .size = 8})
        .clock({1'000'000}, {1'000})
        .multi_instance();
  }

  FakeSource names_;
  Catalog catalog_;
  ObjectSampler sampler_;
  std::vector<Error> problems_;
  std::int64_t perf_ = 0;
};

TEST_F(TrackerTest, FirstSampleHasRawValuesAndAReason) {
  const auto sample = take(rates().instance({.name = u"a", .values = {7}}));
  EXPECT_EQ(sample->schema->name, "Widgets");
  EXPECT_EQ(sample->raw[0], 7u);
  EXPECT_EQ(sample->reason[0], NoValue::kFirstSample);
}

TEST_F(TrackerTest, CooksAgainstThePreviousSampleOfTheSameInstance) {
  take(rates().instance({.name = u"a", .values = {10}}).instance({.name = u"b", .values = {1000}}));
  const auto sample = take(
      rates().instance({.name = u"b", .values = {1005}}).instance({.name = u"a", .values = {30}}));
  EXPECT_EQ(sample->cooked, (std::vector<double>{5, 20}));
}

TEST_F(TrackerTest, SharesSchemaAndInstancesWhileTheyDoNotChange) {
  const auto first = take(rates().instance({.name = u"a", .values = {1}}));
  const auto second = take(rates().instance({.name = u"a", .values = {2}}));
  EXPECT_EQ(first->schema, second->schema);
  EXPECT_EQ(first->instances, second->instances);
  const auto third = take(rates().instance({.name = u"b", .values = {2}}));
  EXPECT_EQ(second->schema, third->schema);
  EXPECT_NE(second->instances, third->instances);
}

TEST_F(TrackerTest, AnInstanceThatWasAwayStartsAnew) {
  take(rates().instance({.name = u"a", .values = {10}}));
  take(rates().instance({.name = u"b", .values = {10}}));
  const auto back = take(rates().instance({.name = u"a", .values = {90}}));
  EXPECT_EQ(back->reason[0], NoValue::kFirstSample);
  EXPECT_EQ(back->total_at(0), 90u);
}

TEST_F(TrackerTest, AReusedProcessIdIsANewInstanceWithoutASpike) {
  take(processes().instance({.name = u"w", .values = {5'000, 42, 100}}));
  const auto reborn = take(processes().instance({.name = u"w", .values = {9'000, 42, 900'000}}));
  EXPECT_EQ(reborn->reason[0], NoValue::kFirstSample);
  EXPECT_EQ(reborn->total_at(0), 9'000u);
}

TEST_F(TrackerTest, TotalsOfProcessesGoOnAlthoughTheirStartTimeMoves) {
  take(processes().instance({.name = u"_Total", .values = {10, 0, 999'000}}));
  const auto sample = take(processes().instance({.name = u"_Total", .values = {15, 0, 1'000'000}}));
  EXPECT_EQ(sample->cooked[0], 5);
}

TEST_F(TrackerTest, KeepsDuplicatesApartByProcessIdWhenOneEnds) {
  take(processes()
           .instance({.name = u"svc", .values = {100, 1, 7}})
           .instance({.name = u"svc", .values = {900, 2, 8}}));
  const auto sample = take(processes().instance({.name = u"svc", .values = {903, 2, 8}}));
  EXPECT_EQ(sample->cooked[0], 3);
  EXPECT_EQ(sample->instances->instances[0].duplicate, 0u);
}

TEST_F(TrackerTest, A32BitCounterWrapsWithoutALoss) {
  take(rates().instance({.name = u"a", .values = {0xFFFFFFFE}}));
  const auto sample = take(rates().instance({.name = u"a", .values = {3}}));
  EXPECT_EQ(sample->cooked[0], 5);
  EXPECT_EQ(sample->total_at(0), 0x100000003u);
  EXPECT_EQ(sample->raw[0], 3u);
}

TEST_F(TrackerTest, AResetCounterHasNoValueAndStartsItsTotalAnew) {
  take(rates().instance({.name = u"a", .values = {1'000'000}}));
  const auto sample = take(rates().instance({.name = u"a", .values = {3}}));
  EXPECT_EQ(sample->reason[0], NoValue::kCounterReset);
  EXPECT_EQ(sample->total_at(0), 3u);
}

TEST_F(TrackerTest, CarriesTheBaseWithItsNumerator) {
  const auto sample = take(ObjectBuilder(kWidgets)
                               .counter({.index = kFull, .type = 0x20020400})
                               .counter({.index = kFull, .type = 0x40030403})
                               .single({25, 200}));
  ASSERT_EQ(sample->columns(), 1u);
  EXPECT_EQ(sample->base_at(0), 200u);
  EXPECT_EQ(sample->cooked[0], 12.5);
}

TEST_F(TrackerTest, ABaseOfTheWrongTypeIsNoBase) {
  const auto sample = take(ObjectBuilder(kWidgets)
                               .counter({.index = kFull, .type = 0x20020400})
                               .counter({.index = kOpen})
                               .single({25, 200}));
  ASSERT_EQ(sample->columns(), 2u);
  EXPECT_EQ(sample->reason[0], NoValue::kNoBase);
  EXPECT_EQ(sample->cooked[1], 200);
}

TEST_F(TrackerTest, AChangedTypeIsNotPairedWithTheOldOne) {
  take(ObjectBuilder(kWidgets).counter({.index = kTurns, .type = 0x10410400}).single({5}));
  const auto sample = take(ObjectBuilder(kWidgets)
                               .counter({.index = kTurns, .type = 0x10410500, .size = 8})
                               .single({9}));
  EXPECT_EQ(sample->reason[0], NoValue::kTypeChanged);
}

TEST_F(TrackerTest, AnAddedCounterLeavesTheOthersPaired) {
  take(ObjectBuilder(kWidgets).counter({.index = kTurns, .type = 0x10410400}).single({5}));
  const auto sample = take(ObjectBuilder(kWidgets)
                               .counter({.index = kOpen})
                               .counter({.index = kTurns, .type = 0x10410400})
                               .single({1, 9}));
  EXPECT_EQ(sample->cooked[1], 4);
}

TEST_F(TrackerTest, ACounterBehindItsBlockIsMissingAlone) {
  const auto built = BlockBuilder()
                         .add(ObjectBuilder(kWidgets)
                                  .counter({.index = kOpen})
                                  .counter({.index = kFull, .type = 0x00010000})
                                  .single({1, 2}))
                         .build();
  constexpr std::size_t kCounterOffset = 36;
  const Reply reply{{built.with(built.objects[0].counters[0] + kCounterOffset, 5'000)}};
  const auto samples = sampler_.take(reply, catalog_, 1, {}).samples;
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0]->reason[0], NoValue::kOutOfBlock);
  EXPECT_EQ(samples[0]->reason[1], NoValue::kNone);
}

TEST_F(TrackerTest, ASpoiltBaseCostsItsCounterAlone) {
  const auto built = BlockBuilder()
                         .add(ObjectBuilder(kWidgets)
                                  .counter({.index = kFull, .type = 0x20020400})
                                  .counter({.index = kFull, .type = 0x40030403})
                                  .counter({.index = kOpen})
                                  .single({25, 200, 7}))
                         .build();
  constexpr std::size_t kCounterOffset = 36;
  const Reply reply{{built.with(built.objects[0].counters[1] + kCounterOffset, 5'000)}};
  const auto samples = sampler_.take(reply, catalog_, 1, {}).samples;
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0]->reason[0], NoValue::kNoBase);
  EXPECT_EQ(samples[0]->raw[0], 25u);
  EXPECT_EQ(samples[0]->reason[1], NoValue::kNone);
}

TEST_F(TrackerTest, NamesAreLookedUpAgainInANewCatalog) {
  const Bytes block =
      BlockBuilder().add(ObjectBuilder(kWidgets).counter({.index = kOpen}).single({1})).bytes();
  const auto name = [&](std::uint64_t generation) {
    const auto taken = sampler_.take({{block}}, catalog_, generation, {});
    return taken.samples.at(0)->schema->counters.at(0).name;
  };
  EXPECT_EQ(name(1), "Open");
  names_.names = {{kWidgets, u"Widgets"}, {kOpen, u"Open Widgets"}};
  catalog_ = Catalog::load(names_, Language::kEnglish);
  EXPECT_EQ(name(1), "Open") << "the same catalog isn't searched with every sample";
  EXPECT_EQ(name(2), "Open Widgets");
}

TEST_F(TrackerTest, ANewCatalogAloneLeavesCountersPaired) {
  const auto value = [this](std::uint64_t raw, std::uint64_t generation) {
    perf_ += kPerf.ticks_per_second;
    const Reply reply{{BlockBuilder()
                           .add(rates().instance({.name = u"a", .values = {raw}}))
                           .perf_time({perf_}, kPerf)
                           .bytes()}};
    return sampler_.take(reply, catalog_, generation, {}).samples.at(0)->cooked.at(0);
  };
  value(10, 1);
  EXPECT_EQ(value(14, 2), 4);
}

TEST_F(TrackerTest, AnObjectThatGetsInstancesHasANewSchema) {
  const auto one = take(ObjectBuilder(kWidgets).counter({.index = kOpen}).single({1}));
  EXPECT_FALSE(one->schema->multi_instance);
  const auto none = take(ObjectBuilder(kWidgets).counter({.index = kOpen}).multi_instance());
  EXPECT_TRUE(none->schema->multi_instance);
  EXPECT_EQ(none->rows(), 0u);
}

TEST_F(TrackerTest, TheObjectsOwnClockMeasuresItsTimers) {
  const auto timer = [](std::uint64_t raw, std::int64_t time) {
    return ObjectBuilder(kWidgets)
        .counter({.index = kOpen, .type = 0x20610500, .size = 8})
        .clock({time}, {1'000})
        .single({raw});
  };
  take(timer(0, 5'000));
  EXPECT_EQ(take(timer(100, 5'400))->cooked[0], 25);
}

TEST_F(TrackerTest, AListThatEndsEarlyIsReportedWithItsSample) {
  const auto built = BlockBuilder()
                         .add(rates()
                                  .instance({.name = u"a", .values = {1}})
                                  .instance({.name = u"b", .values = {2}}))
                         .build();
  const Reply reply{{built.with(built.objects[0].instances[1].offset, 1)}};
  const SampledObjects taken = sampler_.take(reply, catalog_, 1, {});
  ASSERT_EQ(taken.samples.size(), 1u);
  EXPECT_EQ(taken.samples[0]->rows(), 1u);
  ASSERT_EQ(taken.problems.size(), 1u);
  EXPECT_EQ(taken.problems[0].code, ErrorCode::kBadLength);
}

// A list that breaks off at its first instance is no list of none.
TEST_F(TrackerTest, WithoutAnyInstanceThatHoldsThereIsNoSample) {
  const auto built = BlockBuilder()
                         .add(rates()
                                  .instance({.name = u"a", .values = {1}})
                                  .instance({.name = u"b", .values = {2}}))
                         .build();
  const Reply reply{{built.with(built.objects[0].instances[0].offset, 0)}};
  for (int attempt = 0; attempt < 2; ++attempt) {
    const SampledObjects taken = sampler_.take(reply, catalog_, 1, {});
    EXPECT_TRUE(taken.samples.empty());
    ASSERT_EQ(taken.problems.size(), 1u);
    EXPECT_EQ(taken.problems[0].code, ErrorCode::kBadLength);
    EXPECT_STREQ(taken.problems[0].where, "object.instance");
  }
}

// NumCounters alone says so; the definitions are where they were.
TEST_F(TrackerTest, AnObjectThatLosesItsCountersHasNoSampleUntilTheyAreBack) {
  const auto built = BlockBuilder().add(rates().instance({.name = u"a", .values = {10}})).build();
  const auto without = built.with(built.objects[0].offset + v1::object::kNumCounters.offset, 0);
  EXPECT_EQ(sampler_.take(Reply{{built.bytes}}, catalog_, 1, {}).samples.size(), 1u);
  for (const auto& bytes : {without, without, BlockBuilder().add(ObjectBuilder(kWidgets)).bytes(),
                            BlockBuilder().add(ObjectBuilder(kWidgets).multi_instance()).bytes()}) {
    const SampledObjects taken = sampler_.take(Reply{{bytes}}, catalog_, 1, {});
    EXPECT_TRUE(taken.samples.empty());
    ASSERT_EQ(taken.problems.size(), 1u) << "once each time";
    EXPECT_EQ(taken.problems[0].code, ErrorCode::kNoCounters);
    EXPECT_EQ(taken.problems[0].offset, built.objects[0].offset);
  }
  const SampledObjects back = sampler_.take(Reply{{built.bytes}}, catalog_, 1, {});
  ASSERT_EQ(back.samples.size(), 1u);
  EXPECT_EQ(back.samples[0]->raw, (std::vector<std::uint64_t>{10}));
  EXPECT_TRUE(back.problems.empty());
}

TEST_F(TrackerTest, IfItsFirstCounterIsDamagedThatIsTheReason) {
  const auto built = BlockBuilder().add(rates().instance({.name = u"a"})).build();
  const Reply reply{{built.with(built.objects[0].counters[0], 0)}};
  for (int attempt = 0; attempt < 2; ++attempt) {
    const SampledObjects taken = sampler_.take(reply, catalog_, 1, {});
    EXPECT_TRUE(taken.samples.empty());
    ASSERT_EQ(taken.problems.size(), 1u);
    EXPECT_EQ(taken.problems[0].code, ErrorCode::kBadLength);
  }
}

TEST_F(TrackerTest, ASampleSaysWhatItLacks) {
  const auto built = BlockBuilder()
                         .add(rates()
                                  .instance({.name = u"a", .values = {1}})
                                  .instance({.name = u"b", .values = {2}}))
                         .build();
  const auto damage_of = [&](const ByteVector& bytes) {
    return sampler_.take(Reply{{bytes}}, catalog_, 1, {}).samples.at(0)->damage;
  };
  EXPECT_FALSE(damage_of(built.bytes));
  const std::size_t second = built.objects[0].instances[1].offset;
  EXPECT_EQ(damage_of(built.with(second, 0))->offset, second);
  EXPECT_FALSE(damage_of(built.bytes));
  const auto two = BlockBuilder()
                       .add(ObjectBuilder(kWidgets)
                                .counter({.index = kOpen})
                                .counter({.index = kTurns})
                                .single({1, 2}))
                       .build();
  const auto spoilt = two.with(two.objects[0].counters[1], 0);
  for (int attempt = 0; attempt < 2; ++attempt)
    EXPECT_EQ(damage_of(spoilt)->code, ErrorCode::kBadLength) << "as long as it lasts";
}

TEST_F(TrackerTest, AParentWhoseNameIsLostIsReported) {
  const auto built = BlockBuilder()
                         .add(rates().instance({.name = u"c", .values = {1}, .parent_object = 200}))
                         .add(ObjectBuilder(200)
                                  .counter({.index = kOpen})
                                  .instance({.name = u"p0"})
                                  .instance({.name = u"p1"}))
                         .build();
  const std::vector wanted{ObjectIndex{kWidgets}};
  const auto& parents = built.objects[1].instances;
  const auto second = sampler_.take({{built.with(parents[1].offset, 0)}}, catalog_, 1, wanted);
  EXPECT_EQ(second.samples.at(0)->instances->instances[0].parent, "p0");
  EXPECT_TRUE(second.problems.empty()) << "no name of this object is lost";
  const auto first = sampler_.take({{built.with(parents[0].offset, 0)}}, catalog_, 1, wanted);
  EXPECT_EQ(first.samples.at(0)->instances->instances[0].parent, "");
  ASSERT_EQ(first.problems.size(), 1u);
  EXPECT_EQ(first.problems[0].code, ErrorCode::kBadLength);
  EXPECT_EQ(first.problems[0].offset, parents[0].offset);
  EXPECT_EQ(first.samples.at(0)->damage, first.problems[0]);
}

TEST_F(TrackerTest, WithoutItsOnlyCounterBlockThereIsNoSample) {
  const auto built =
      BlockBuilder().add(ObjectBuilder(kWidgets).counter({.index = 9'998}).single({1})).build();
  const Reply reply{{built.with(built.objects[0].block_offset, 1)}};
  const SampledObjects taken = sampler_.take(reply, catalog_, 1, {});
  EXPECT_TRUE(taken.samples.empty());
  ASSERT_EQ(taken.problems.size(), 2u);
  EXPECT_EQ(taken.problems[0].code, ErrorCode::kUnknownIndex) << "found before";
  EXPECT_EQ(taken.problems[1].code, ErrorCode::kBadLength);
}

TEST_F(TrackerTest, SelectsInstancesAndCountersByName) {
  sampler_ = ObjectSampler({.instances = [](std::string_view name) { return name == "b"; },
                            .counters = [](const CounterSchema& c) { return c.name == "Open"; }});
  const auto sample = take(ObjectBuilder(kWidgets)
                               .counter({.index = kTurns, .type = 0x10410400})
                               .counter({.index = kOpen})
                               .instance({.name = u"a", .values = {1, 2}})
                               .instance({.name = u"b", .values = {3, 4}}));
  EXPECT_EQ(sample->raw, (std::vector<std::uint64_t>{4}));
  EXPECT_EQ(sample->instances->instances[0].ordinal, 1u);
}

TEST_F(TrackerTest, NamesParentsByTheirPositionInTheSameBlock) {
  const ObjectBuilder parents = ObjectBuilder(200)
                                    .counter({.index = kOpen})
                                    .instance({.name = u"p0"})
                                    .instance({.name = u"p1"});
  const ObjectBuilder children =
      rates().instance({.name = u"c", .values = {1}, .parent_object = 200, .parent_position = 1});
  Reply reply{{BlockBuilder().add(parents).add(children).bytes()}};
  const std::vector wanted{ObjectIndex{kWidgets}};
  const auto samples = sampler_.take(reply, catalog_, 1, wanted).samples;
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_EQ(samples[0]->instances->instances[0].parent, "p1");
}

TEST_F(TrackerTest, NoInstanceRightNowIsAnAnswer) {
  const auto sample = take(rates());
  ASSERT_NE(sample, nullptr);
  EXPECT_EQ(sample->rows(), 0u);
}

TEST_F(TrackerTest, ReportsWhatTheCatalogCannotName) {
  take(ObjectBuilder(kWidgets).counter({.index = 9'998}).single({1}));
  ASSERT_EQ(problems_.size(), 1u);
  EXPECT_EQ(problems_[0].code, ErrorCode::kUnknownIndex);
  EXPECT_EQ(problems_[0].actual, 9'998u);
}

// .NET calls it "Process ID", others "IDProcess": whose an instance is, is no label.
TEST_F(TrackerTest, InstancesOfAnotherProcessBeginAnewWhateverTheIdIsCalled) {
  for (const char16_t* name : {u"Process ID", u"IDProcess", u"Process Id", u"ProcessID"}) {
    names_.names = {{kWidgets, u"Widgets"}, {kTurns, u"Turns/sec"}, {kIdProcess, name}};
    catalog_ = Catalog::load(names_, Language::kEnglish);
    sampler_ = ObjectSampler{};
    const auto heaps = [&](std::uint64_t rate, std::uint64_t id) {
      return take(ObjectBuilder(kWidgets)
                      .counter({.index = kTurns, .type = 0x10410400})
                      .counter({.index = kIdProcess})
                      .multi_instance()
                      .instance({.name = u"w3wp", .values = {rate, id}}));
    };
    heaps(100, 0);
    EXPECT_EQ(heaps(110, 4711)->reason[0], NoValue::kNone) << "an id that appears";
    EXPECT_EQ(heaps(120, 0)->reason[0], NoValue::kNone);
    const auto other = heaps(9000, 4712);
    EXPECT_EQ(other->reason[0], NoValue::kFirstSample);
    EXPECT_EQ(other->total_at(0), 9000U);
    EXPECT_EQ(other->instances->instances[0].process_id, std::nullopt);
  }
}

}  // namespace
}  // namespace winperf
