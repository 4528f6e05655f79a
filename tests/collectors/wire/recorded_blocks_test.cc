// Blocks recorded on a real Windows read right: values that were taken from the bytes by hand.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/block_digest.h"
#include "tests/support/captures.h"

namespace winperf {
namespace {

using testing::BlockDigest;
using testing::InstanceDigest;
using testing::ObjectDigest;
using testing::ValueDigest;

class RecordedBlock : public testing::CaptureTest {
 protected:
  ObjectDigest only_object(const std::string& file) const {
    const auto bytes = testing::read_file(captures_ / "vista-6000" / file);
    const BlockDigest block = testing::digest_by_views(bytes);
    EXPECT_TRUE(block.valid) << file;
    EXPECT_EQ(testing::problems_of(block), 0U) << file;
    EXPECT_EQ(block.computer_name, "HOST-01");
    EXPECT_EQ(block.objects.size(), 1U) << file;
    return block.objects.empty() ? ObjectDigest{} : block.objects[0];
  }
};

ValueDigest value(std::uint64_t number) { return {.value = number}; }

TEST_F(RecordedBlock, Processor) {
  const ObjectDigest object = only_object("sample-0001-06.perf");
  EXPECT_EQ(object.index, 238U);
  EXPECT_EQ(object.help_index, 239U);
  EXPECT_TRUE(object.multi_instance);
  EXPECT_EQ(object.counters.size(), 15U);
  ASSERT_EQ(object.instances.size(), 2U);
  EXPECT_EQ(object.instances[0].name, "0");
  EXPECT_EQ(object.instances[1].name, "_Total");
  for (const InstanceDigest& instance : object.instances) {
    EXPECT_EQ(instance.values[0], value(12'665'781'250));
    EXPECT_EQ(instance.values[1], value(2'268'125'000));
    EXPECT_EQ(instance.values[2], value(5'695'156'250));
    EXPECT_EQ(instance.unique_id, std::nullopt);
  }
}

TEST_F(RecordedBlock, ProcessHasDuplicateNamesAndAClockOfItsOwn) {
  const ObjectDigest object = only_object("sample-0001-05.perf");
  EXPECT_EQ(object.index, 230U);
  EXPECT_EQ(object.counters.size(), 28U);
  EXPECT_EQ(object.time, ObjectTicks{128'315'940'986'167'596});
  EXPECT_EQ(object.frequency, k100nsFrequency);
  ASSERT_EQ(object.instances.size(), 51U);
  EXPECT_EQ(object.instances.front().name, "Idle");
  EXPECT_EQ(object.instances[1].name, "System");
  EXPECT_EQ(object.instances[1].values[0], value(471'718'750));
  EXPECT_EQ(object.instances.back().name, "_Total");
  std::size_t svchosts = 0;
  for (const InstanceDigest& instance : object.instances) svchosts += instance.name == "svchost";
  EXPECT_GT(svchosts, 1U);
}

TEST_F(RecordedBlock, TcpHasOneBlock) {
  const ObjectDigest object = only_object("sample-0000-01.perf");
  EXPECT_EQ(object.index, 638U);
  EXPECT_FALSE(object.multi_instance);
  EXPECT_EQ(object.counters.size(), 9U);
  ASSERT_EQ(object.instances.size(), 1U);
  EXPECT_EQ(object.instances[0].values[0], value(74));
  EXPECT_EQ(object.instances[0].values[2], value(3));
}

TEST_F(RecordedBlock, MemoryMixesWidths) {
  const ObjectDigest object = only_object("sample-0000-02.perf");
  ASSERT_EQ(object.instances.size(), 1U);
  EXPECT_EQ(object.instances[0].values[0], value(1'613'340));
  EXPECT_EQ(object.instances[0].values[1], value(83'587'072));
}

TEST_F(RecordedBlock, AverageTimersOfDisksAreEightBytesWide) {
  const ObjectDigest object = only_object("sample-0001-04.perf");
  std::size_t timers = 0;
  for (const CounterDefinition& counter : object.counters) {
    if (counter.type != CounterType{0x30020400}) continue;
    EXPECT_EQ(counter.size, 8U);
    ++timers;
  }
  EXPECT_GT(timers, 0U);
}

TEST_F(RecordedBlock, TheBlocksClocks) {
  const auto bytes = testing::read_file(captures_ / "vista-6000" / "sample-0001-06.perf");
  const BlockDigest block = testing::digest_by_views(bytes);
  EXPECT_EQ(block.clocks.perf_time, PerfTicks{7'393'519'392});
  EXPECT_EQ(block.clocks.perf_frequency, Frequency{3'579'545});
  EXPECT_EQ(block.clocks.time_100ns, Ticks100ns{128'315'940'986'148'066});
}

TEST_F(RecordedBlock, EveryOneReadsAsTheReferenceReadsIt) {
  const auto files = testing::block_files(captures_ / "vista-6000");
  EXPECT_EQ(files.size(), 88U);
  for (const auto& file : files) {
    const auto bytes = testing::read_file(file);
    const BlockDigest block = testing::digest_by_views(bytes);
    EXPECT_EQ(testing::problems_of(block), 0U) << file;
    EXPECT_TRUE(block == testing::digest_by_reference(bytes)) << file;
  }
}

}  // namespace
}  // namespace winperf
