// The table of fields that the views and the tests' builder use agrees with the SDK's structures.
#include <gtest/gtest.h>
#include <windows.h>
#include <winperf.h>

#include <cstddef>
#include <cstring>

#include "collectors/wire/block_view.h"
#include "collectors/wire/v1_format.h"
#include "tests/collectors/wire/agrees.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::BlockBuilder;
using testing::BuiltBlock;
using testing::ObjectBuilder;

static_assert(sizeof(PERF_DATA_BLOCK) == v1::block::kBytes);
AGREES(PERF_DATA_BLOCK, Signature, v1::block::kSignature);
AGREES(PERF_DATA_BLOCK, LittleEndian, v1::block::kLittleEndian);
AGREES(PERF_DATA_BLOCK, Version, v1::block::kVersion);
AGREES(PERF_DATA_BLOCK, Revision, v1::block::kRevision);
AGREES(PERF_DATA_BLOCK, TotalByteLength, v1::block::kTotalByteLength);
AGREES(PERF_DATA_BLOCK, HeaderLength, v1::block::kHeaderLength);
AGREES(PERF_DATA_BLOCK, NumObjectTypes, v1::block::kNumObjectTypes);
AGREES(PERF_DATA_BLOCK, DefaultObject, v1::block::kDefaultObject);
static_assert(offsetof(PERF_DATA_BLOCK, SystemTime) == v1::block::kSystemTime);
AGREES(PERF_DATA_BLOCK, PerfTime, v1::block::kPerfTime);
AGREES(PERF_DATA_BLOCK, PerfFreq, v1::block::kPerfFreq);
AGREES(PERF_DATA_BLOCK, PerfTime100nSec, v1::block::kPerfTime100nSec);
AGREES(PERF_DATA_BLOCK, SystemNameLength, v1::block::kSystemNameLength);
AGREES(PERF_DATA_BLOCK, SystemNameOffset, v1::block::kSystemNameOffset);

static_assert(sizeof(PERF_OBJECT_TYPE) == v1::object::kBytes);
AGREES(PERF_OBJECT_TYPE, TotalByteLength, v1::object::kTotalByteLength);
AGREES(PERF_OBJECT_TYPE, DefinitionLength, v1::object::kDefinitionLength);
AGREES(PERF_OBJECT_TYPE, HeaderLength, v1::object::kHeaderLength);
AGREES(PERF_OBJECT_TYPE, ObjectNameTitleIndex, v1::object::kNameIndex);
AGREES(PERF_OBJECT_TYPE, ObjectHelpTitleIndex, v1::object::kHelpIndex);
AGREES(PERF_OBJECT_TYPE, DetailLevel, v1::object::kDetailLevel);
AGREES(PERF_OBJECT_TYPE, NumCounters, v1::object::kNumCounters);
AGREES(PERF_OBJECT_TYPE, DefaultCounter, v1::object::kDefaultCounter);
AGREES(PERF_OBJECT_TYPE, NumInstances, v1::object::kNumInstances);
AGREES(PERF_OBJECT_TYPE, CodePage, v1::object::kCodePage);
AGREES(PERF_OBJECT_TYPE, PerfTime, v1::object::kPerfTime);
AGREES(PERF_OBJECT_TYPE, PerfFreq, v1::object::kPerfFreq);

using Counter = PERF_COUNTER_DEFINITION;
static_assert(sizeof(Counter) == v1::counter::kBytes);
AGREES(Counter, ByteLength, v1::counter::kByteLength);
AGREES(Counter, CounterNameTitleIndex, v1::counter::kNameIndex);
AGREES(Counter, CounterHelpTitleIndex, v1::counter::kHelpIndex);
AGREES(Counter, DefaultScale, v1::counter::kDefaultScale);
AGREES(Counter, DetailLevel, v1::counter::kDetailLevel);
AGREES(Counter, CounterType, v1::counter::kType);
AGREES(Counter, CounterSize, v1::counter::kCounterSize);
AGREES(Counter, CounterOffset, v1::counter::kCounterOffset);

using Instance = PERF_INSTANCE_DEFINITION;
static_assert(sizeof(Instance) == v1::instance::kBytes);
AGREES(Instance, ByteLength, v1::instance::kByteLength);
AGREES(Instance, ParentObjectTitleIndex, v1::instance::kParentObject);
AGREES(Instance, ParentObjectInstance, v1::instance::kParentPosition);
AGREES(Instance, UniqueID, v1::instance::kUniqueId);
AGREES(Instance, NameOffset, v1::instance::kNameOffset);
AGREES(Instance, NameLength, v1::instance::kNameLength);
static_assert(sizeof(PERF_COUNTER_BLOCK) == v1::counter_block::kBytes);
AGREES(PERF_COUNTER_BLOCK, ByteLength, v1::counter_block::kByteLength);

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
