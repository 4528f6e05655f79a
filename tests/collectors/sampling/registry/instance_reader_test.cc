// Which instances an object has, and whose names and parents they carry, from built blocks.
#include "collectors/sampling/registry/object_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectors/sampling/fake_source.h"
#include "tests/collectors/sampling/registry/parsed_block.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using ::testing::ElementsAre;
using testing::FakeSource;
using ::testing::IsEmpty;
using testing::ObjectBuilder;
using testing::ParsedBlock;

constexpr std::uint32_t kFirstObject = 100, kParents = 200, kOnlyCounter = 104;

ObjectBuilder children(std::initializer_list<testing::InstanceSpec> instances) {
  ObjectBuilder object =
      ObjectBuilder(kFirstObject).counter({.index = kOnlyCounter}).multi_instance();
  for (const testing::InstanceSpec& instance : instances) object.instance(instance);
  return object;
}

ObjectBuilder parents(std::initializer_list<std::u16string> names) {
  ObjectBuilder object = ObjectBuilder(kParents).counter({.index = kOnlyCounter}).multi_instance();
  for (const std::u16string& name : names) object.instance({.name = name});
  return object;
}

ObjectBuilder processes(std::initializer_list<testing::InstanceSpec> instances) {
  ObjectBuilder object = ObjectBuilder(kFirstObject)
                             .counter({.index = 784})
                             .counter({.index = 804})
                             .counter({.index = 684, .type = 0x30240500, .size = 8})
                             .multi_instance();
  for (const testing::InstanceSpec& instance : instances) object.instance(instance);
  return object;
}

class InstanceReaderTest : public ::testing::Test {
 protected:
  // Reads the first object of the block.
  std::expected<InstanceRows, Error> read(const ParsedBlock& block) {
    std::vector<ObjectView> all;
    ObjectWalk walk = block.view().objects();
    while (const auto object = walk.next())
      if (*object) all.push_back(**object);
    const ObjectView object = block.object();
    ParentNames names(all);
    const ObjectLayout layout = build_layout(object, catalog_, selection_);
    return reader_.read(object, layout.identity, *layout.schema, names, selection_);
  }
  std::shared_ptr<const InstanceSet> set_of(const BlockBuilder& builder) {
    const ParsedBlock block{builder};
    return read(block).value().set;
  }
  std::vector<std::string> shown(const BlockBuilder& builder) {
    std::vector<std::string> names;
    for (const auto set = set_of(builder); const InstanceSchema& instance : set->instances)
      names.push_back(display_name(instance));
    return names;
  }

  FakeSource no_names_;
  Catalog catalog_ = Catalog::load(no_names_, Language::kEnglish);
  InstanceReader reader_;
  Selection selection_;
};

TEST_F(InstanceReaderTest, ReadsNoneOneAndManyWithTheirPositions) {
  EXPECT_THAT(shown(BlockBuilder().add(children({}))), IsEmpty());
  EXPECT_THAT(shown(BlockBuilder().add(children({{.name = u"a"}}))), ElementsAre("a"));
  const auto set =
      set_of(BlockBuilder().add(children({{.name = u"b"}, {.name = u"a"}, {.name = u"b"}})));
  ASSERT_EQ(set->instances.size(), 3U);
  for (std::uint32_t row = 0; row < 3; ++row) EXPECT_EQ(set->instances[row].ordinal, row);
  EXPECT_EQ(display_name(set->instances[2]), "b#1");
}

TEST_F(InstanceReaderTest, WithoutANameAnInstanceIsCalledByItsUniqueId) {
  EXPECT_THAT(
      shown(BlockBuilder().add(children({{.unique_id = 42}, {.name = u"b", .unique_id = 43}, {}}))),
      ElementsAre("42", "b", ""));
}

TEST_F(InstanceReaderTest, AParentIsFoundByItsPosition) {
  EXPECT_THAT(
      shown(
          BlockBuilder()
              .add(children({{.name = u"x", .parent_object = kParents, .parent_position = 0},
                             {.name = u"x", .parent_object = kParents, .parent_position = 1},
                             {.name = u"x", .parent_object = kParents, .parent_position = 2},
                             {.name = u"x", .parent_object = 999, .parent_position = 0},
                             {.name = u"x"}}))
              .add(ObjectBuilder(150).counter({.index = kOnlyCounter}).instance({.name = u"wrong"}))
              .add(parents({u"p", u"q"}))
              .add(parents({u"second list"}))),
      ElementsAre("p/x", "q/x", "x", "x#1", "x#2"));
}

TEST_F(InstanceReaderTest, AParentThatMovesIsFollowedAlthoughTheBytesAreTheSame) {
  const ObjectBuilder child =
      children({{.name = u"x", .parent_object = kParents, .parent_position = 0}});
  EXPECT_THAT(shown(BlockBuilder().add(child).add(parents({u"p", u"q"}))), ElementsAre("p/x"));
  EXPECT_THAT(shown(BlockBuilder().add(child).add(parents({u"q", u"p"}))), ElementsAre("q/x"));
  // Also if only one of them, whichever it is, has a parent.
  const ObjectBuilder one_of_two =
      children({{.name = u"x", .parent_object = kParents, .parent_position = 0}, {.name = u"y"}});
  EXPECT_THAT(shown(BlockBuilder().add(one_of_two).add(parents({u"p"}))), ElementsAre("p/x", "y"));
  EXPECT_THAT(shown(BlockBuilder().add(one_of_two).add(parents({u"q"}))), ElementsAre("q/x", "y"));
}

TEST_F(InstanceReaderTest, ACorruptParentListNamesTheParentsBeforeTheDamage) {
  const auto built =
      BlockBuilder()
          .add(children({{.name = u"x", .parent_object = kParents},
                         {.name = u"y", .parent_object = kParents, .parent_position = 1}}))
          .add(parents({u"p", u"q"}))
          .build();
  const ParsedBlock block{built.with(built.objects[1].instances[1].offset, 1)};
  const auto rows = read(block);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->set->instances[0].parent, "p");
  EXPECT_EQ(rows->set->instances[1].parent, "");
}

TEST_F(InstanceReaderTest, TheSetIsSharedForAsLongAsEveryInstanceIsTheSame) {
  const auto set = [this](std::uint64_t process, std::uint64_t thread, std::uint64_t started,
                          std::u16string name = u"a") {
    return set_of(
        BlockBuilder().add(processes({{.name = name, .values = {process, thread, started}}})));
  };
  const auto first = set(4, 5, 6);
  EXPECT_EQ(first->instances[0].process_id, 4U);
  EXPECT_EQ(first->instances[0].thread_id, 5U);
  EXPECT_EQ(first->instances[0].started, 6U);
  EXPECT_EQ(set(4, 5, 6), first);
  EXPECT_EQ(set(40, 5, 6)->instances[0].process_id, 40U);
  EXPECT_EQ(set(40, 50, 6)->instances[0].thread_id, 50U);
  EXPECT_EQ(set(40, 50, 60)->instances[0].started, 60U);
  EXPECT_EQ(set(40, 50, 60, u"b")->instances[0].name, "b");
  const auto idle = set(0, 50, 60);
  EXPECT_EQ(idle->instances[0].started, std::nullopt);
  EXPECT_EQ(set(0, 50, 61), idle) << "without a process id the start time says nothing";
}

TEST_F(InstanceReaderTest, AnIdThatIsOutOfTheBlockIsUnknown) {
  const auto built = BlockBuilder().add(processes({{.name = u"a", .values = {4, 5, 6}}})).build();
  constexpr std::size_t kCounterOffset = 36;
  const ParsedBlock block{built.with(built.objects[0].counters[0] + kCounterOffset, 5'000)};
  const auto rows = read(block);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->set->instances[0].process_id, std::nullopt);
  EXPECT_EQ(rows->set->instances[0].thread_id, 5U);
}

TEST_F(InstanceReaderTest, EachSelectedInstanceHasItsOwnCounterBlock) {
  selection_.instances = [](std::string_view name) { return name != "b"; };
  const ParsedBlock block{BlockBuilder().add(children({{.name = u"a", .values = {1}},
                                                       {.name = u"b", .values = {2}},
                                                       {.name = u"c", .values = {3}}}))};
  const auto rows = read(block);
  ASSERT_TRUE(rows);
  EXPECT_FALSE(rows->cut_short.has_value());
  const CounterDefinition state = block.object().counters().all.at(0);
  ASSERT_EQ(rows->blocks->size(), 2U);
  EXPECT_EQ((*rows->blocks)[0].read(state), 1U);
  EXPECT_EQ((*rows->blocks)[1].read(state), 3U);
}

TEST_F(InstanceReaderTest, ABadInstanceEndsTheListAndTheOnesBeforeItHold) {
  const auto built =
      BlockBuilder().add(children({{.name = u"a"}, {.name = u"b"}, {.name = u"c"}})).build();
  const ParsedBlock block{built.with(built.objects[0].instances[1].offset, 1)};
  const auto rows = read(block);
  ASSERT_TRUE(rows);
  ASSERT_TRUE(rows->cut_short.has_value());
  EXPECT_EQ(rows->cut_short->code, ErrorCode::kBadLength);
  EXPECT_EQ(rows->set->instances.size(), 1U);
  EXPECT_EQ(rows->blocks->size(), 1U);
}

TEST_F(InstanceReaderTest, AfterAListThatWasCutShortAnEmptyOneHasNoInstances) {
  const auto built = BlockBuilder().add(children({{.name = u"a"}, {.name = u"b"}})).build();
  const ParsedBlock cut{built.with(built.objects[0].instances[1].offset, 1)};
  ASSERT_TRUE(read(ParsedBlock{built.bytes}));
  ASSERT_TRUE(read(cut));
  const ParsedBlock none{BlockBuilder().add(children({}))};
  const auto rows = read(none);
  ASSERT_TRUE(rows);
  EXPECT_THAT(rows->set->instances, IsEmpty());
  EXPECT_EQ(rows->blocks->size(), 0U);
}

TEST_F(InstanceReaderTest, AKnownInstanceThatIsLeftOutKeepsItsName) {
  selection_.instances = [](std::string_view name) { return name != "b"; };
  const auto names = [&](std::initializer_list<testing::InstanceSpec> instances) {
    std::vector<std::string> found;
    for (const InstanceSchema& instance :
         set_of(BlockBuilder().add(children(instances)))->instances)
      found.push_back(instance.name);
    return found;
  };
  EXPECT_THAT(names({{.name = u"a"}, {.name = u"b"}}), ElementsAre("a"));
  EXPECT_THAT(names({{.name = u"a"}, {.name = u"b"}, {.name = u"c"}}), ElementsAre("a", "c"));
  EXPECT_THAT(names({{.name = u"b"}, {.name = u"c"}}), ElementsAre("c"));
}

TEST_F(InstanceReaderTest, AnObjectWithoutInstancesHasOneBlockOrTheReasonWhyNot) {
  const auto built =
      BlockBuilder()
          .add(ObjectBuilder(kFirstObject).counter({.index = kOnlyCounter}).single({7}))
          .build();
  const ParsedBlock block{built.bytes};
  const auto rows = read(block);
  ASSERT_TRUE(rows);
  EXPECT_THAT(rows->set->instances, IsEmpty());
  ASSERT_EQ(rows->blocks->size(), 1U);
  EXPECT_EQ((*rows->blocks)[0].read(block.object().counters().all.at(0)), 7U);
  const ParsedBlock spoilt{built.with(built.objects[0].block_offset, 1)};
  const auto none = read(spoilt);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kBadLength);
}

}  // namespace
}  // namespace winperf
