// The layout that the parsers and the builder assume is that of the SDK's own structures.
#include <gtest/gtest.h>
#include <windows.h>
#include <winperf.h>

#include <cstddef>
#include <cstring>

#include "collectors/wire/block_view.h"
#include "tests/support/block_builder.h"
#include "tests/support/v1_fields.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using testing::BuiltBlock;
using testing::ObjectBuilder;
namespace field = testing::field;

static_assert(sizeof(PERF_DATA_BLOCK) == field::block::kSize);
static_assert(offsetof(PERF_DATA_BLOCK, Signature) == field::block::kSignature);
static_assert(offsetof(PERF_DATA_BLOCK, LittleEndian) == field::block::kLittleEndian);
static_assert(offsetof(PERF_DATA_BLOCK, Version) == field::block::kVersion);
static_assert(offsetof(PERF_DATA_BLOCK, Revision) == field::block::kRevision);
static_assert(offsetof(PERF_DATA_BLOCK, TotalByteLength) == field::block::kTotalByteLength);
static_assert(offsetof(PERF_DATA_BLOCK, HeaderLength) == field::block::kHeaderLength);
static_assert(offsetof(PERF_DATA_BLOCK, NumObjectTypes) == field::block::kNumObjectTypes);
static_assert(offsetof(PERF_DATA_BLOCK, DefaultObject) == field::block::kDefaultObject);
static_assert(offsetof(PERF_DATA_BLOCK, SystemTime) == field::block::kSystemTime);
static_assert(offsetof(PERF_DATA_BLOCK, PerfTime) == field::block::kPerfTime);
static_assert(offsetof(PERF_DATA_BLOCK, PerfFreq) == field::block::kPerfFreq);
static_assert(offsetof(PERF_DATA_BLOCK, PerfTime100nSec) == field::block::kPerfTime100nSec);
static_assert(offsetof(PERF_DATA_BLOCK, SystemNameLength) == field::block::kSystemNameLength);
static_assert(offsetof(PERF_DATA_BLOCK, SystemNameOffset) == field::block::kSystemNameOffset);

static_assert(sizeof(PERF_OBJECT_TYPE) == field::object::kSize);
static_assert(offsetof(PERF_OBJECT_TYPE, TotalByteLength) == field::object::kTotalByteLength);
static_assert(offsetof(PERF_OBJECT_TYPE, DefinitionLength) == field::object::kDefinitionLength);
static_assert(offsetof(PERF_OBJECT_TYPE, HeaderLength) == field::object::kHeaderLength);
static_assert(offsetof(PERF_OBJECT_TYPE, ObjectNameTitleIndex) == field::object::kNameIndex);
static_assert(offsetof(PERF_OBJECT_TYPE, ObjectHelpTitleIndex) == field::object::kHelpIndex);
static_assert(offsetof(PERF_OBJECT_TYPE, DetailLevel) == field::object::kDetailLevel);
static_assert(offsetof(PERF_OBJECT_TYPE, NumCounters) == field::object::kNumCounters);
static_assert(offsetof(PERF_OBJECT_TYPE, DefaultCounter) == field::object::kDefaultCounter);
static_assert(offsetof(PERF_OBJECT_TYPE, NumInstances) == field::object::kNumInstances);
static_assert(offsetof(PERF_OBJECT_TYPE, CodePage) == field::object::kCodePage);
static_assert(offsetof(PERF_OBJECT_TYPE, PerfTime) == field::object::kPerfTime);
static_assert(offsetof(PERF_OBJECT_TYPE, PerfFreq) == field::object::kPerfFreq);

using Counter = PERF_COUNTER_DEFINITION;
static_assert(sizeof(Counter) == field::counter::kSize);
static_assert(offsetof(Counter, ByteLength) == field::counter::kByteLength);
static_assert(offsetof(Counter, CounterNameTitleIndex) == field::counter::kNameIndex);
static_assert(offsetof(Counter, CounterHelpTitleIndex) == field::counter::kHelpIndex);
static_assert(offsetof(Counter, DefaultScale) == field::counter::kDefaultScale);
static_assert(offsetof(Counter, DetailLevel) == field::counter::kDetailLevel);
static_assert(offsetof(Counter, CounterType) == field::counter::kType);
static_assert(offsetof(Counter, CounterSize) == field::counter::kCounterSize);
static_assert(offsetof(Counter, CounterOffset) == field::counter::kCounterOffset);

using Instance = PERF_INSTANCE_DEFINITION;
static_assert(sizeof(Instance) == field::instance::kSize);
static_assert(offsetof(Instance, ByteLength) == field::instance::kByteLength);
static_assert(offsetof(Instance, ParentObjectTitleIndex) == field::instance::kParentObject);
static_assert(offsetof(Instance, ParentObjectInstance) == field::instance::kParentPosition);
static_assert(offsetof(Instance, UniqueID) == field::instance::kUniqueId);
static_assert(offsetof(Instance, NameOffset) == field::instance::kNameOffset);
static_assert(offsetof(Instance, NameLength) == field::instance::kNameLength);
static_assert(sizeof(PERF_COUNTER_BLOCK) == field::counter_block::kSize);

template <class Structure>
Structure structure_at(const BuiltBlock& built, std::size_t offset) {
  Structure structure{};
  EXPECT_LE(offset + sizeof structure, built.bytes.size());
  std::memcpy(&structure, built.bytes.data() + offset, sizeof structure);
  return structure;
}

TEST(SdkLayout, BuiltBlocksReadTheSameByTheSdkAndByTheViews) {
  const BuiltBlock built =
      BlockBuilder()
          .add(ObjectBuilder(232)
                   .clock({42}, {7})
                   .counter({.index = 6, .type = PERF_100NSEC_TIMER, .size = 8})
                   .instance({.name = u"x",
                              .values = {11},
                              .parent_object = 230,
                              .parent_position = 3,
                              .unique_id = 5}))
          .build();
  const auto sdk_block = structure_at<PERF_DATA_BLOCK>(built, 0);
  const auto sdk_object = structure_at<PERF_OBJECT_TYPE>(built, built.objects[0].offset);
  const auto sdk_counter = structure_at<Counter>(built, built.objects[0].counters[0]);
  const auto sdk_instance = structure_at<Instance>(built, built.objects[0].instances[0].offset);

  const auto block = BlockView::parse(built.bytes);
  ASSERT_TRUE(block) << describe(block.error());
  EXPECT_EQ(block->clocks().perf_time.ticks, sdk_block.PerfTime.QuadPart);
  EXPECT_EQ(block->clocks().perf_frequency.ticks_per_second, sdk_block.PerfFreq.QuadPart);
  EXPECT_EQ(block->clocks().time_100ns.ticks, sdk_block.PerfTime100nSec.QuadPart);
  EXPECT_EQ(block->default_object(), sdk_block.DefaultObject);
  const auto object = *block->objects().next();
  ASSERT_TRUE(object) << describe(object.error());
  EXPECT_EQ(value_of(object->index()), sdk_object.ObjectNameTitleIndex);
  EXPECT_EQ(object->time().ticks, sdk_object.PerfTime.QuadPart);
  EXPECT_EQ(object->frequency().ticks_per_second, sdk_object.PerfFreq.QuadPart);
  const CounterDefinition counter = object->counters().all.at(0);
  EXPECT_EQ(value_of(counter.type), sdk_counter.CounterType);
  EXPECT_EQ(counter.size, sdk_counter.CounterSize);
  EXPECT_EQ(counter.offset, sdk_counter.CounterOffset);
  const auto instance = *object->instances().next();
  ASSERT_TRUE(instance) << describe(instance.error());
  EXPECT_EQ(value_of(instance->parent_object()), sdk_instance.ParentObjectTitleIndex);
  EXPECT_EQ(instance->parent_position(), sdk_instance.ParentObjectInstance);
  EXPECT_EQ(static_cast<LONG>(instance->unique_id().value_or(0)), sdk_instance.UniqueID);
  EXPECT_EQ(instance->block().read(counter), 11U);
}

}  // namespace
}  // namespace winperf
