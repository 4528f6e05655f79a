// What the parsers allocate: nothing for each instance, and never more than a small multiple of
// their input, whatever the counts in it say. Replaces operator new, so it is an executable of its
// own.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>

#include "collectors/wire/block_view.h"
#include "collectors/wire/name_table.h"
#include "collectors/wire/v1_format.h"
#include "tests/support/block_builder.h"
#include "tests/support/name_table_bytes.h"
#include "tests/support/sample_blocks.h"

namespace {
std::atomic<std::size_t> allocated_bytes{0};
std::atomic<std::size_t> allocations{0};
}  // namespace

void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  allocated_bytes += size;
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void* operator new(std::size_t size) {
  if (void* const memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace winperf {
namespace {

using testing::BlockBuilder;
using testing::BuiltBlock;
using testing::ByteVector;
using testing::ObjectBuilder;

struct Cost {
  std::size_t bytes;
  std::size_t count;
};

Cost cost_of(const std::function<void()>& work) {
  const std::size_t bytes = allocated_bytes;
  const std::size_t count = allocations;
  work();
  return {allocated_bytes - bytes, allocations - count};
}

// Walks everything, and reads every value; returns how many there were.
std::size_t read_all(const ByteVector& bytes) {
  std::size_t values = 0;
  const auto block = BlockView::parse(bytes);
  if (!block) return values;
  ObjectWalk objects = block->objects();
  while (const auto object = objects.next()) {
    if (!*object) continue;
    const CounterDefinitions counters = (*object)->counters();
    InstanceWalk instances = (*object)->instances();
    while (const auto instance = instances.next()) {
      if (!*instance) continue;
      for (const CounterDefinition& counter : counters.all)
        values += (*instance)->block().read(counter).has_value();
    }
  }
  return values;
}

BuiltBlock processes(std::size_t count) {
  ObjectBuilder object(230);
  for (std::uint32_t i = 0; i < 28; ++i)
    object.counter({.index = 2 * i, .type = 0x10410500, .size = 8});
  for (std::size_t i = 0; i < count; ++i) object.instance({.name = u"svchost", .values = {i}});
  return BlockBuilder().add(object).build();
}

TEST(Allocation, WalkingInstancesAllocatesNothingForEach) {
  const ByteVector few = processes(1).bytes;
  const ByteVector many = processes(5000).bytes;
  std::size_t values = 0;
  const Cost cost_of_few = cost_of([&] { values = read_all(few); });
  EXPECT_EQ(values, 28U);
  const Cost cost_of_many = cost_of([&] { values = read_all(many); });
  EXPECT_EQ(values, 5000U * 28U);
  EXPECT_EQ(cost_of_many.count, cost_of_few.count);
  EXPECT_EQ(cost_of_many.bytes, cost_of_few.bytes);
}

TEST(Allocation, CountsOnTheWireDoNotSizeAnything) {
  for (const auto& [name, built] : testing::sample_blocks()) {
    std::vector<std::size_t> counts{v1::block::kNumObjectTypes};
    for (const BuiltBlock::Object& object : built.objects) {
      counts.push_back(object.offset + v1::object::kNumCounters);
      counts.push_back(object.offset + v1::object::kNumInstances);
    }
    for (const std::size_t at : counts) {
      const ByteVector spoilt = built.with(at, 0x7FFFFFFF);
      const Cost cost = cost_of([&] { read_all(spoilt); });
      EXPECT_LE(cost.bytes, spoilt.size()) << name << " with a huge count at " << at;
    }
  }
}

TEST(Allocation, NameTableIsNotSizedByItsIndices) {
  const ByteVector bytes =
      testing::name_table_bytes({u"1", u"4294967295", u"4294967294", u"a", u"4294967295", u"b"});
  std::size_t entries = 0;
  const Cost cost = cost_of([&] { entries = NameTable::parse(bytes).entries().size(); });
  EXPECT_EQ(entries, 2U);
  EXPECT_LE(cost.bytes, 32 * bytes.size());
}

TEST(Allocation, NameTableOfTheShortestPairsStaysASmallMultiple) {
  ByteVector bytes;
  for (int i = 0; i < 100'000; ++i) {
    const ByteVector pair = testing::strings({u"7", u"x"});
    bytes.insert(bytes.end(), pair.begin(), pair.end());
  }
  const Cost cost = cost_of([&] { NameTable::parse(bytes); });
  EXPECT_LE(cost.bytes, 64 * bytes.size());
}

}  // namespace
}  // namespace winperf
