#include "collectors/sampling/registry/object_sampler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/wire/v1_format.h"
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

constexpr std::uint32_t kObject = 100, kState = 104, kFractionIndex = 106, kProcessId = 784,
                        kThreadId = 804, kElapsedIndex = 684;
constexpr std::uint32_t kRawFraction = 0x20020400, kRawBase = 0x40030403, kAverageBase = 0x40030402,
                        kElapsedTimeType = 0x30240500;

class ObjectLayoutTest : public ::testing::Test {
 protected:
  ObjectLayoutTest() {
    names_.names = {{kObject, u"Widgets"},       {kState, u"Open"},
                    {kFractionIndex, u"% Full"}, {kProcessId, u"ID Process"},
                    {kThreadId, u"ID Thread"},   {kElapsedIndex, u"Elapsed Time"}};
    names_.named = "HOST";
  }

  ObjectLayout layout(const ObjectBuilder& object, const Selection& selection = {}) {
    const ParsedBlock block{BlockBuilder().add(object)};
    return build_layout(block.object(), Catalog::load(names_, Language::kEnglish), selection);
  }
  static std::vector<std::uint32_t> columns(const ObjectLayout& layout) {
    std::vector<std::uint32_t> indices;
    for (const ObjectColumn& column : layout.columns)
      indices.push_back(value_of(column.value.index));
    return indices;
  }

  FakeSource names_;
};

TEST_F(ObjectLayoutTest, TheSchemaSaysWhatTheDefinitionsSay) {
  const auto found = layout(ObjectBuilder(kObject).counter({.index = kState,
                                                            .type = 0x00010100,
                                                            .size = 8,
                                                            .help_index = 77,
                                                            .default_scale = -3,
                                                            .detail_level = 300}));
  EXPECT_EQ(found.schema->path, CounterPath::kRegistry);
  EXPECT_EQ(found.schema->machine, "HOST");
  EXPECT_EQ(found.schema->name, "Widgets");
  EXPECT_EQ(value_of(found.schema->index), kObject);
  EXPECT_FALSE(found.schema->multi_instance);
  ASSERT_EQ(found.schema->counters.size(), 1U);
  const CounterSchema& counter = found.schema->counters[0];
  EXPECT_EQ(value_of(counter.index), kState);
  EXPECT_EQ(value_of(counter.help_index), 77U);
  EXPECT_EQ(counter.name, "Open");
  EXPECT_EQ(counter.type, CounterType{0x00010100});
  EXPECT_EQ(counter.size, 8U);
  EXPECT_EQ(counter.default_scale, -3);
  EXPECT_EQ(counter.detail_level, 300U);
  EXPECT_FALSE(counter.has_base);
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_TRUE(layout(ObjectBuilder(kObject).multi_instance()).schema->multi_instance);
}

TEST_F(ObjectLayoutTest, NamesSayHowNumbersAreRead) {
  names_.names = {{kObject, u"Network Interface"},
                  {kState, u"Current Bandwidth"},
                  {kFractionIndex, u"Output Queue Length"}};
  const auto marks = [&](std::uint32_t index, std::uint32_t size) {
    const auto found =
        layout(ObjectBuilder(kObject).counter({.index = index, .type = 0x00010100, .size = size}));
    return found.schema->counters.at(0).reading.unknown;
  };
  EXPECT_THAT(marks(kState, 8), ElementsAre(0x7FFF'FFFF'FFFF'FFFF, 0xFFFF'FFFF'FFFF'FFFF));
  EXPECT_THAT(marks(kState, 4), ElementsAre(0xFFFF'FFFF));
  EXPECT_THAT(marks(kFractionIndex, 8), IsEmpty());
}

TEST_F(ObjectLayoutTest, TheSchemaHasTheObjectsLevelOfDetail) {
  const auto built = BlockBuilder().add(ObjectBuilder(kObject).counter({.index = kState})).build();
  const ParsedBlock block{
      built.with(built.objects[0].offset + v1::object::kDetailLevel.offset, 300)};
  const Catalog catalog = Catalog::load(names_, Language::kEnglish);
  EXPECT_EQ(build_layout(block.object(), catalog, {}).schema->detail_level, 300U);
}

TEST_F(ObjectLayoutTest, TheSchemaHasTheIndexOfTheObjectsHelp) {
  const auto built = BlockBuilder().add(ObjectBuilder(kObject).counter({.index = kState})).build();
  const ParsedBlock block{built.with(built.objects[0].offset + v1::object::kHelpIndex.offset, 77)};
  const Catalog catalog = Catalog::load(names_, Language::kEnglish);
  EXPECT_EQ(value_of(build_layout(block.object(), catalog, {}).schema->help_index), 77U);
}

TEST_F(ObjectLayoutTest, TheDefinitionAfterACounterIsItsBaseIfItsTypeSaysSo) {
  const auto found = layout(ObjectBuilder(kObject)
                                .counter({.index = kFractionIndex, .type = kRawFraction})
                                .counter({.index = kFractionIndex, .type = kRawBase, .size = 8})
                                .counter({.index = kState}));
  EXPECT_THAT(columns(found), ElementsAre(kFractionIndex, kState));
  EXPECT_TRUE(found.schema->counters[0].has_base);
  EXPECT_EQ(found.schema->counters[0].base_type, CounterType{kRawBase});
  EXPECT_EQ(found.schema->counters[0].base_size, 8U);
  ASSERT_TRUE(found.columns[0].base.has_value());
  EXPECT_EQ(found.columns[0].base->type, CounterType{kRawBase});
  EXPECT_FALSE(found.columns[1].base.has_value());
}

TEST_F(ObjectLayoutTest, ABaseThatNoCounterNeedsKeepsItsColumn) {
  // Another type's base; a base after a counter that needs none; a base that comes first.
  EXPECT_THAT(columns(layout(ObjectBuilder(kObject)
                                 .counter({.index = kFractionIndex, .type = kRawFraction})
                                 .counter({.index = kState, .type = kAverageBase}))),
              ElementsAre(kFractionIndex, kState));
  EXPECT_THAT(columns(layout(ObjectBuilder(kObject)
                                 .counter({.index = kState})
                                 .counter({.index = kFractionIndex, .type = kRawBase}))),
              ElementsAre(kState, kFractionIndex));
  EXPECT_THAT(columns(layout(ObjectBuilder(kObject)
                                 .counter({.index = kState, .type = kRawBase})
                                 .counter({.index = kFractionIndex, .type = kRawFraction}))),
              ElementsAre(kState, kFractionIndex));
}

TEST_F(ObjectLayoutTest, ABaseWithoutANameIsNoProblem) {
  const auto found = layout(ObjectBuilder(kObject)
                                .counter({.index = kFractionIndex, .type = kRawFraction})
                                .counter({.index = 0, .type = kRawBase})
                                .counter({.index = 0, .type = kRawBase}));
  EXPECT_THAT(found.problems, IsEmpty());
  EXPECT_THAT(columns(found), ElementsAre(kFractionIndex, 0));
}

// The indices of nameless counters of V2 sets are left out of Windows' table.
TEST_F(ObjectLayoutTest, WhatHasNoNameThoughTheTableGoesOnIsHidden) {
  constexpr std::uint32_t kIdleTimer = 0x20510500;
  const auto found = layout(ObjectBuilder(kObject)
                                .counter({.index = kState})
                                .counter({.index = 108, .type = kAverageBase})
                                .counter({.index = 110, .type = kIdleTimer, .size = 8})
                                .counter({.index = 112})
                                .counter({.index = kFractionIndex, .type = kRawFraction})
                                .counter({.index = 114, .type = kRawBase}));
  EXPECT_THAT(columns(found), ElementsAre(kState, kFractionIndex));
  EXPECT_TRUE(found.schema->counters[1].has_base);
  EXPECT_THAT(found.problems, IsEmpty());
}

TEST_F(ObjectLayoutTest, BehindTheEndOfTheTableAndWithoutAnyNameCountersAreShownByNumber) {
  EXPECT_THAT(
      columns(layout(ObjectBuilder(kObject).counter({.index = kState}).counter({.index = 9'002}))),
      ElementsAre(kState, 9'002));
  EXPECT_THAT(
      columns(layout(ObjectBuilder(kObject).counter({.index = 108}).counter({.index = 110}))),
      ElementsAre(108, 110));
}

TEST_F(ObjectLayoutTest, EveryIndexWithoutANameIsReported) {
  const auto found = layout(ObjectBuilder(9'000)
                                .counter({.index = 9'002})
                                .counter({.index = kState})
                                .counter({.index = 9'004}));
  EXPECT_THAT(
      found.problems,
      ElementsAre(Error{.code = ErrorCode::kUnknownIndex, .where = "object", .actual = 9'000},
                  Error{.code = ErrorCode::kUnknownIndex, .where = "counter", .actual = 9'002},
                  Error{.code = ErrorCode::kUnknownIndex, .where = "counter", .actual = 9'004}));
  EXPECT_THAT(columns(found), ElementsAre(9'002, kState, 9'004)) << "they are shown by number";
}

TEST_F(ObjectLayoutTest, ABadDefinitionEndsTheListAndIsReported) {
  const auto built =
      BlockBuilder()
          .add(ObjectBuilder(kObject).counter({.index = kState}).counter({.index = kFractionIndex}))
          .build();
  const ParsedBlock block{built.with(built.objects[0].counters[1], 0)};
  const auto found = build_layout(block.object(), Catalog::load(names_, Language::kEnglish), {});
  EXPECT_THAT(columns(found), ElementsAre(kState));
  ASSERT_EQ(found.problems.size(), 1U);
  EXPECT_EQ(found.problems[0].code, ErrorCode::kBadLength);
}

TEST_F(ObjectLayoutTest, CountersThatIdentifyInstancesAreKnownWithoutBeingSelected) {
  const auto found =
      layout(ObjectBuilder(kObject)
                 .counter({.index = kProcessId})
                 .counter({.index = kThreadId})
                 .counter({.index = kElapsedIndex, .type = kElapsedTimeType, .size = 8})
                 .counter({.index = kState}),
             {.counters = [](const CounterSchema& c) { return c.name == "Open"; }});
  EXPECT_THAT(columns(found), ElementsAre(kState));
  EXPECT_EQ(found.identity.process_id.value().index, CounterIndex{kProcessId});
  EXPECT_EQ(found.identity.thread_id.value().index, CounterIndex{kThreadId});
  EXPECT_EQ(found.identity.started.value().index, CounterIndex{kElapsedIndex});
}

TEST_F(ObjectLayoutTest, TheProcessIdOfProcessV2HasAnotherName) {
  const auto process =
      ObjectBuilder(kObject).counter({.index = kState}).counter({.index = kProcessId});
  names_.names[1].second = u"Process ID";
  EXPECT_EQ(layout(process).identity.process_id.value().index, CounterIndex{kProcessId});
  names_.names[0].second = u"Process V2";
  EXPECT_EQ(layout(process).identity.process_id.value().index, CounterIndex{kState});
}

TEST_F(ObjectLayoutTest, IdentityCountersAreKnownByIndexOnlyWithoutANameTable) {
  const ObjectBuilder process =
      ObjectBuilder(kObject).counter({.index = kProcessId}).counter({.index = kThreadId});
  names_.names.clear();
  EXPECT_TRUE(layout(process).identity.process_id.has_value());
  EXPECT_TRUE(layout(process).identity.thread_id.has_value());
  names_.names = {{kProcessId, u"Something else"}, {kThreadId, u"Another"}};
  EXPECT_FALSE(layout(process).identity.process_id.has_value());
  EXPECT_FALSE(layout(process).identity.thread_id.has_value());
  names_.names.clear();
  const auto neither = layout(ObjectBuilder(kObject).counter({.index = kState}));
  EXPECT_FALSE(neither.identity.process_id.has_value() || neither.identity.thread_id.has_value() ||
               neither.identity.started.has_value());
}

}  // namespace
}  // namespace winperf
