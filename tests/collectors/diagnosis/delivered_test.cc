// What of a counterset was delivered, and how much of it the filters accept.
#include "collectors/diagnosis/trial.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/wire/v1_format.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/collectors/sampling/raw_sample.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using ::testing::ElementsAre;
using testing::FakeSource;
using ::testing::IsEmpty;
using testing::ObjectBuilder;

constexpr std::uint32_t kOpen = 104, kTurns = 106;

ObjectBuilder object(std::uint32_t index) {
  return ObjectBuilder(index).counter({.index = kOpen}).counter({.index = kTurns});
}

class DeliveredTest : public ::testing::Test {
 protected:
  DeliveredTest() {
    names_.names = {{100, u"Shop"}, {200, u"shop"}, {kOpen, u"Open"}, {kTurns, u"Turns/sec"}};
    catalog_ = Catalog::load(names_, Language::kEnglish);
  }
  TrialFacts find(const BlockBuilder& block, const Selection& selection = {}) {
    return find({.blocks = {block.bytes()}}, selection);
  }
  TrialFacts find(const Reply& reply, const Selection& selection = {}) {
    const std::vector wanted{ObjectIndex{100}, ObjectIndex{200}};
    return find_delivered(reply, catalog_, wanted, selection);
  }

  FakeSource names_;
  Catalog catalog_;
};

TEST_F(DeliveredTest, CountsCountersWithoutBasesAndInstances) {
  const TrialFacts found =
      find(BlockBuilder().add(object(100)
                                  .counter({.index = kOpen, .type = 0x40030403})
                                  .instance({.name = u"a"})
                                  .instance({.unique_id = 7})
                                  .instance({.name = u"a"})));
  ASSERT_TRUE(found.object);
  EXPECT_EQ(found.object->index, ObjectIndex{100});
  EXPECT_EQ(found.object->name, "Shop");
  EXPECT_TRUE(found.object->multi_instance);
  EXPECT_EQ(found.object->counters, 2U);
  EXPECT_EQ(found.object->matching_counters, 2U);
  EXPECT_EQ(found.object->instances, 3U);
  EXPECT_EQ(found.object->matching_instances, 3U);
  EXPECT_THAT(found.object->counter_names, ElementsAre("Open", "Turns/sec"));
  EXPECT_THAT(found.object->instance_names, ElementsAre("a", "7"));
  EXPECT_THAT(found.problems, IsEmpty());
}

// As perfmon numbers them: with the instances before them, and under their parents.
TEST_F(DeliveredTest, CountsWhatAPathSelectsByTheNameThatIsShown) {
  const BlockBuilder block =
      BlockBuilder()
          .add(ObjectBuilder(300).counter({.index = kOpen}).instance({.name = u"up"}))
          .add(object(100)
                   .instance({.name = u"a"})
                   .instance({.name = u"a"})
                   .instance({.name = u"a", .parent_object = 300, .parent_position = 0}));
  const auto matching = [&](std::string name) {
    const auto is_it = [name](std::string_view other) { return other == name; };
    return find(block, {.instances = is_it, .by_display_name = true}).object->matching_instances;
  };
  EXPECT_EQ(matching("a"), 1U);
  EXPECT_EQ(matching("a#1"), 1U);
  EXPECT_EQ(matching("up/a"), 1U);
  EXPECT_EQ(matching("a#2"), 0U);
  const auto none = [](std::string_view) { return false; };
  EXPECT_THAT(find(block, {.instances = none, .by_display_name = true}).object->instance_names,
              ElementsAre("a", "a#1", "up/a"));
}

TEST_F(DeliveredTest, CountsWhatTheFiltersAcceptByNameAndId) {
  const BlockBuilder block = BlockBuilder().add(object(100)
                                                    .instance({.name = u"a", .unique_id = 1})
                                                    .instance({.name = u"b", .unique_id = 2})
                                                    .instance({.name = u"a", .unique_id = 2})
                                                    .instance({.name = u"a"}));
  const auto matching = [&](const Selection& selection) {
    return find(block, selection).object->matching_instances;
  };
  const auto is_a = [](std::string_view name) { return name == "a"; };
  EXPECT_EQ(matching({.instances = is_a}), 3U);
  EXPECT_EQ(matching({.instance_id = 2}), 2U);
  EXPECT_EQ(matching({.instances = is_a, .instance_id = 2}), 1U);
  EXPECT_EQ(matching({.instance_id = 9}), 0U);
  const auto has_name_a = [](const CounterSchema& counter) { return counter.name == "a"; };
  EXPECT_EQ(find(block, {.counters = has_name_a}).object->matching_counters, 0U);
}

TEST_F(DeliveredTest, OfSeveralObjectsTheLowestIndexIsTaken) {
  for (const bool swapped : {false, true}) {
    BlockBuilder block;
    block.add(object(50).single({1, 1})).add(object(swapped ? 200 : 100).single({1, 1}));
    block.add(object(swapped ? 100 : 200).single({1, 1}));
    EXPECT_EQ(find(block).object->index, ObjectIndex{100});
  }
  EXPECT_FALSE(find(BlockBuilder().add(object(50).single({1, 1}))).object);
  EXPECT_FALSE(find(BlockBuilder().add(object(100).metadata())).object);
}

TEST_F(DeliveredTest, ShowsFiveExamplesEachOnce) {
  for (const std::size_t number : {0U, 4U, 5U, 6U}) {
    ObjectBuilder many = object(100).multi_instance();
    for (std::size_t i = 0; i < number; ++i)
      for (int twice = 0; twice < 2; ++twice)
        many.instance({.name = u"i" + std::u16string(i, u'x')});
    const TrialFacts found = find(BlockBuilder().add(many));
    EXPECT_EQ(found.object->instances, 2 * number);
    EXPECT_EQ(found.object->instance_names.size(), std::min<std::size_t>(number, 5));
  }
}

TEST_F(DeliveredTest, DamageCostsItselfAlone) {
  const auto built =
      BlockBuilder().add(object(100).instance({.name = u"a"}).instance({.name = u"b"})).build();
  const Reply reply{.blocks = {Bytes(200), built.with(built.objects[0].instances[1].offset, 1)}};
  const TrialFacts found = find(reply);
  EXPECT_EQ(found.object->instances, 1U);
  EXPECT_EQ(found.problems.size(), 2U);
  const TrialFacts lost = find({.blocks = {built.with(built.objects[0].instances[0].offset, 0)}});
  EXPECT_FALSE(lost.object) << "the list breaks off at its first instance";
  EXPECT_EQ(lost.problems.size(), 1U);
  const auto two = BlockBuilder().add(object(50).single({1, 1})).add(object(100).single({1, 1}));
  const TrialFacts second =
      find({.blocks = {two.build().with(
                two.build().objects[0].offset + v1::object::kHeaderLength.offset, 1)}});
  EXPECT_TRUE(second.object);
  EXPECT_EQ(second.problems.size(), 1U);
  const auto single = BlockBuilder().add(object(100).single({1, 1})).build();
  const TrialFacts none = find({.blocks = {single.with(single.objects[0].block_offset, 1)}});
  EXPECT_FALSE(none.object);
  EXPECT_EQ(none.problems.size(), 1U);
}

TEST_F(DeliveredTest, WithoutCountersNothingIsDelivered) {
  const auto built = BlockBuilder().add(object(100).instance({.name = u"a"})).build();
  const std::size_t at = built.objects[0].offset + v1::object::kNumCounters.offset;
  const TrialFacts found = find({.blocks = {built.with(at, 0)}});
  EXPECT_FALSE(found.object);
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_EQ(found.problems[0].code, ErrorCode::kNoCounters);
}

TEST_F(DeliveredTest, ALogsValuesAreCountedTheSameWay) {
  auto schema =
      std::make_shared<CountersetSchema>(*testing::schema_of({{.index = 1, .name = "Open"}}, true));
  schema->path = CounterPath::kLog;
  schema->index = ObjectIndex{100};
  const auto values = testing::make_raw_sample(schema, testing::instances_named({"a", "a#1", "b"}),
                                               testing::at_second(1));
  values->own_clocks.resize(values->reason.size());
  const Reply reply{.blocks = {},
                    .logged = {{.values = values, .problems = {{.code = ErrorCode::kBadText}}}}};
  const TrialFacts found =
      find(reply, {.instances = [](std::string_view name) { return name == "a"; }});
  ASSERT_TRUE(found.object);
  EXPECT_EQ(found.object->instances, 3U);
  EXPECT_EQ(found.object->matching_instances, 2U) << "perfmon's number is no part of the name";
  EXPECT_EQ(found.problems.size(), 1U);
}

}  // namespace
}  // namespace winperf
