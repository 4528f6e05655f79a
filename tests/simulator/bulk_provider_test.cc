// The large object is well-formed, and its values are what its header promises.
#include "tests/simulator/bulk_provider.h"

#include <gtest/gtest.h>

#include <memory>

#include "tests/simulator/codes.h"
#include "tests/simulator/path_pair.h"

namespace winperf::simulator {
namespace {

TEST(Bulk, HasAsManyValuesAsItsSizePromisesAndHalfOfThemMove) {
  Machine machine;
  machine.add(std::make_shared<BulkProvider>(machine, 9'450));
  SimulatedSampler sampler(machine, {planned("Bulk")});
  sampler.round();
  const std::shared_ptr<const CountersetSample> first = sampler.state().sample;
  machine.advance(5);
  sampler.round();
  const CountersetSample& sample = *sampler.state().sample;
  ASSERT_EQ(sample.rows(), 100u);
  ASSERT_EQ(sample.columns(), 94u);
  EXPECT_EQ(sampler.all_problems(), "");
  EXPECT_EQ(sample.instances->instances[99].name, "bulk 99");
  EXPECT_EQ(sample.schema->counters[93].name, "Bulk Counter 93");
  for (std::size_t row = 0; row < 100; ++row)
    for (std::size_t column = 0; column < 94; ++column) {
      const std::size_t cell = sample.cell(row, column);
      const bool moves = (row + column) % 2 == 1;
      ASSERT_EQ(first->raw[cell], 1'000'000 + 100 * row + column);
      ASSERT_EQ(sample.raw[cell], first->raw[cell] + (moves ? 1'000 + column : 0));
    }
}

TEST(Bulk, KeepsTheContractOfCollect) {
  Machine machine;
  BulkProvider provider(machine, 100);
  testing::ByteVector buffer(10'000);
  std::byte* data = buffer.data();
  std::uint32_t bytes = 100;
  std::uint32_t objects = 7;
  EXPECT_EQ(provider.collect(u"4000", data, bytes, objects), kMoreData);
  EXPECT_EQ(data, buffer.data());
  EXPECT_EQ(bytes + objects, 0u);
  bytes = 10'000;
  EXPECT_EQ(provider.collect(u"Costly", data, bytes, objects), kSuccess);
  EXPECT_EQ(bytes + objects, 0u) << "it is not costly";
  bytes = 10'000;
  EXPECT_EQ(provider.collect(u"Global", data, bytes, objects), kSuccess);
  EXPECT_EQ(data - buffer.data(), bytes);
  EXPECT_EQ(bytes % 8, 0u);
  EXPECT_EQ(objects, 1u);
}

}  // namespace
}  // namespace winperf::simulator
