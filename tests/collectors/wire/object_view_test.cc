#include "collectors/wire/block_view.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "collectors/wire/v1_format.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using testing::BuiltBlock;
using testing::ByteVector;
using testing::ObjectBuilder;

std::expected<ObjectView, Error> first_object(const ByteVector& bytes,
                                              const ParseLimits& limits = {}) {
  return *BlockView::parse(bytes, limits)->objects().next();
}

BuiltBlock disk() {
  return BlockBuilder()
      .add(ObjectBuilder(234)
               .counter({.index = 200, .type = 0x20570500, .size = 8, .default_scale = -7})
               .counter({.index = 206, .type = 0x30020400, .size = 8, .detail_level = 400})
               .counter({.index = 206, .type = 0x40030402})
               .clock({42}, {10'000'000})
               .code_page(1252)
               .instance({.name = u"0 C:", .values = {1, 2, 3}}))
      .build();
}

TEST(ObjectView, ReadsTheHeader) {
  const auto bytes = disk().bytes;
  const auto object = first_object(bytes);
  ASSERT_TRUE(object) << describe(object.error());
  EXPECT_EQ(object->index(), ObjectIndex{234});
  EXPECT_EQ(object->help_index(), HelpIndex{235});
  EXPECT_EQ(object->detail_level(), 100U);
  EXPECT_EQ(object->code_page(), 1252U);
  EXPECT_EQ(object->time(), ObjectTicks{42});
  EXPECT_EQ(object->frequency(), Frequency{10'000'000});
}

TEST(ObjectView, ReadsTheCounters) {
  const auto bytes = disk().bytes;
  const CounterDefinitions counters = first_object(bytes)->counters();
  EXPECT_FALSE(counters.problem);
  ASSERT_EQ(counters.all.size(), 3U);
  const CounterDefinition expected{.index = CounterIndex{200},
                                   .help_index = HelpIndex{201},
                                   .default_scale = -7,
                                   .detail_level = 100,
                                   .type = CounterType{0x20570500},
                                   .size = 8,
                                   .offset = 8};
  EXPECT_EQ(counters.all[0], expected);
  EXPECT_EQ(counters.all[1].size, 8U) << "CounterSize, whatever the type's bits say";
  EXPECT_EQ(counters.all[1].detail_level, 400U);
  EXPECT_EQ(counters.all[2].offset, 24U);
}

TEST(ObjectView, NumInstancesSaysWhatFollows) {
  struct Row {
    std::uint32_t num_instances;
    bool multi_instance;
    bool metadata_only;
  };
  const Row rows[] = {{0xFFFFFFFF, false, false},
                      {0, true, false},
                      {1, true, false},
                      {0xFFFFFFFE, true, true},
                      {0xFFFFFFFD, false, true}};
  const BuiltBlock built = disk();
  for (const Row& row : rows) {
    const auto bytes =
        built.with(built.objects[0].offset + v1::object::kNumInstances, row.num_instances);
    const auto object = first_object(bytes);
    ASSERT_TRUE(object) << row.num_instances;
    EXPECT_EQ(object->multi_instance(), row.multi_instance) << row.num_instances;
    EXPECT_EQ(object->metadata_only(), row.metadata_only) << row.num_instances;
  }
}

TEST(ObjectView, NumInstancesWithoutAMeaningIsRefused) {
  const BuiltBlock built = disk();
  for (const std::uint32_t value : {0xFFFFFFFCU, 0x80000000U, 0xFFFF0000U}) {
    const auto bytes = built.with(built.objects[0].offset + v1::object::kNumInstances, value);
    const auto object = first_object(bytes);
    ASSERT_FALSE(object) << value;
    EXPECT_EQ(object.error().code, ErrorCode::kBadCount) << value;
    EXPECT_EQ(object.error().actual, value);
  }
}

TEST(ObjectView, LengthsHaveToNest) {
  struct Row {
    std::size_t offset;
    std::uint32_t value;
    ErrorCode code;
  };
  const BuiltBlock built = disk();
  const auto size = static_cast<std::uint32_t>(built.bytes.size() - built.objects[0].offset);
  const Row rows[] = {
      {v1::object::kTotalByteLength, size + 1, ErrorCode::kTruncated},
      {v1::object::kTotalByteLength, 183, ErrorCode::kBadLength},
      {v1::object::kDefinitionLength, size + 1, ErrorCode::kBadLength},
      {v1::object::kDefinitionLength, 63, ErrorCode::kBadLength},
      {v1::object::kHeaderLength, 63, ErrorCode::kBadLength},
      {v1::object::kHeaderLength, 185, ErrorCode::kBadLength},
  };
  for (const Row& row : rows) {
    const auto bytes = built.with(built.objects[0].offset + row.offset, row.value);
    const auto object = first_object(bytes);
    ASSERT_FALSE(object) << row.offset << " " << row.value;
    EXPECT_EQ(object.error().code, row.code) << describe(object.error());
  }
}

TEST(ObjectView, ACorruptDefinitionKeepsThoseBeforeIt) {
  const BuiltBlock built = disk();
  for (const std::uint32_t length : {0U, 1U, 39U, 81U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    const auto bytes = built.with(built.objects[0].counters[1], length);
    const CounterDefinitions counters = first_object(bytes)->counters();
    EXPECT_EQ(counters.all.size(), 1U) << length;
    ASSERT_TRUE(counters.problem) << length;
    EXPECT_EQ(counters.problem->offset, built.objects[0].counters[1]) << length;
  }
}

TEST(ObjectView, DefinitionsMayBeLongerThanTheyNeed) {
  BuiltBlock built = disk();
  const BuiltBlock::Object& object = built.objects[0];
  built.bytes.insert(built.bytes.begin() + static_cast<std::ptrdiff_t>(object.counters[1]), 8,
                     std::byte{0xEE});
  const auto grow = [&](std::size_t offset) {
    const ByteView view(built.bytes, "test");
    built.bytes = built.with(offset, view.get<std::uint32_t>(offset) + 8);
  };
  grow(v1::block::kTotalByteLength);
  grow(object.offset + v1::object::kTotalByteLength);
  grow(object.offset + v1::object::kDefinitionLength);
  grow(object.counters[0] + v1::counter::kByteLength);
  const CounterDefinitions counters = first_object(built.bytes)->counters();
  EXPECT_FALSE(counters.problem);
  ASSERT_EQ(counters.all.size(), 3U);
  EXPECT_EQ(counters.all[2].type, CounterType{0x40030402});
}

TEST(ObjectView, CountersThatAreMiscountedAreAProblem) {
  const BuiltBlock built = disk();
  const std::size_t at = built.objects[0].offset + v1::object::kNumCounters;
  for (const std::uint32_t count : {4U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    const auto bytes = built.with(at, count);
    const CounterDefinitions counters = first_object(bytes)->counters();
    EXPECT_EQ(counters.all.size(), 3U) << count;
    ASSERT_TRUE(counters.problem) << count;
    EXPECT_EQ(counters.problem->code, ErrorCode::kBadCount) << count;
    EXPECT_EQ(counters.problem->actual, count);
    EXPECT_EQ(counters.problem->limit, 3U);
  }
  const auto fewer = built.with(at, 2);
  const CounterDefinitions counters = first_object(fewer)->counters();
  EXPECT_EQ(counters.all.size(), 2U);
  ASSERT_TRUE(counters.problem);
  EXPECT_EQ(counters.problem->code, ErrorCode::kBadCount);
}

TEST(ObjectView, NoCountersAreAProblemWithAndWithoutBytesForThem) {
  const BuiltBlock built = disk();
  const auto none = BlockBuilder().add(ObjectBuilder(234)).bytes();
  for (const auto& bytes :
       {built.with(built.objects[0].offset + v1::object::kNumCounters, 0), none}) {
    const CounterDefinitions counters = first_object(bytes)->counters();
    EXPECT_TRUE(counters.all.empty());
    ASSERT_TRUE(counters.problem);
    EXPECT_EQ(counters.problem->code, ErrorCode::kNoCounters);
    EXPECT_EQ(counters.problem->offset, built.objects[0].offset);
  }
}

TEST(ObjectView, MoreCountersThanTheLimitIsAProblem) {
  const auto bytes = disk().bytes;
  const CounterDefinitions counters = first_object(bytes, {.counters_per_object = 2})->counters();
  EXPECT_EQ(counters.all.size(), 2U);
  ASSERT_TRUE(counters.problem);
  EXPECT_EQ(counters.problem->code, ErrorCode::kLimitExceeded);
}

TEST(ObjectView, EqualDefinitionBytesMeanEqualCounters) {
  const auto one = disk().bytes;
  const auto same = disk().bytes;
  const BuiltBlock built = disk();
  const auto other = built.with(built.objects[0].counters[2] + v1::counter::kCounterOffset, 28);
  EXPECT_TRUE(std::ranges::equal(first_object(one)->definition_bytes(),
                                 first_object(same)->definition_bytes()));
  EXPECT_FALSE(std::ranges::equal(first_object(one)->definition_bytes(),
                                  first_object(other)->definition_bytes()));
}

TEST(ObjectView, MetadataHasDefinitionsAndNoData) {
  const auto bytes =
      BlockBuilder()
          .add(ObjectBuilder(230).counter({.index = 784}).multi_instance().metadata())
          .bytes();
  const auto object = first_object(bytes);
  ASSERT_TRUE(object);
  EXPECT_TRUE(object->metadata_only());
  EXPECT_TRUE(object->multi_instance());
  EXPECT_EQ(object->counters().all.size(), 1U);
  EXPECT_FALSE(object->instances().next());
}

}  // namespace
}  // namespace winperf
