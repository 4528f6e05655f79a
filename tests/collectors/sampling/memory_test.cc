// What samples take of the memory: nothing anew while a schema and its instances stay the same.
#include <gtest/gtest.h>

#include <string>

#include "collectors/sampling/registry/object_sampler.h"
#include "tests/collectors/sampling/fake_source.h"
#include "tests/collectors/sampling/perflib/tracked.h"
#include "tests/support/allocations.h"
#include "tests/support/block_builder.h"

namespace winperf {
namespace {

using testing::allocations;
using testing::BlockBuilder;
using testing::FakeSource;
using testing::ObjectBuilder;
using testing::Tracked;

constexpr std::uint32_t kWidgets = 100;
constexpr std::uint32_t kUnknown = 10'000;  // from here on Windows has no counters
// Rates of 8 and of 4 bytes, a gauge, a base, and the identity of a process.
constexpr std::uint32_t kLargeRate = 0x10410500, kRate = 0x10410400, kGauge = 0x00010000,
                        kFraction = 0x20020400, kFractionBase = 0x40030403;
constexpr int kFirstSamples = 4;  // after which the pool has as many as are in use
constexpr int kSamples = 3;

std::u16string name_of(std::size_t row) {
  const std::string digits = std::to_string(row);
  return u"instance " + std::u16string(digits.begin(), digits.end());
}

std::uint64_t value_of_cell(std::size_t row, std::size_t column, int second) {
  return 1'000 * row + column + static_cast<std::uint64_t>(second) * ((row + column) % 2);
}

// In each of which half of the values are others.
std::vector<testing::ByteVector> blocks_of(std::size_t rows) {
  std::vector<testing::ByteVector> blocks;
  for (int second = 1; second <= kFirstSamples + kSamples; ++second) {
    ObjectBuilder object(kWidgets);
    std::uint32_t index = kWidgets;
    for (const std::uint32_t type : {kLargeRate, kRate, kGauge, kFraction, kFractionBase})
      object.counter({.index = index += 2, .type = type, .size = type == kLargeRate ? 8U : 4U});
    for (std::size_t row = 0; row < rows; ++row) {
      std::vector<std::uint64_t> values;
      for (std::size_t column = 0; column < 4; ++column)
        values.push_back(value_of_cell(row, column, second));
      values.push_back(1'000'000);
      object.instance({.name = name_of(row), .values = std::move(values)});
    }
    blocks.push_back(
        BlockBuilder().add(object).perf_time({second * 1'000}, Frequency{1'000}).bytes());
  }
  return blocks;
}

TEST(Memory, AV1ObjectWhoseInstancesStayAllocatesNothing) {
  FakeSource names;
  const Catalog catalog = Catalog::load(names, Language::kEnglish);
  V1Tracker tracker;
  std::shared_ptr<const CountersetSample> latest;
  testing::Allocations made;
  int second = 0;
  for (const testing::ByteVector& bytes : blocks_of(200)) {
    const BlockView block = BlockView::parse(bytes).value();
    const std::vector<ObjectView> objects{**block.objects().next()};
    const testing::Allocations before = allocations();
    ParentNames parents(objects);
    auto reading = tracker.update(objects[0], block.clocks(), catalog, 1, parents, {});
    latest = std::move(reading.value().sample);
    if (++second > kFirstSamples) made += allocations() - before;
  }
  EXPECT_EQ(latest->reason[0], NoValue::kNone);
  EXPECT_EQ(made.count, 0U);
}

TEST(Memory, AV2CountersetWhoseInstancesStayAllocatesNothing) {
  Tracked tracked({{.id = 1, .type = kLargeRate, .bytes = 8},
                   {.id = 2, .type = kRate, .bytes = 4},
                   {.id = 3, .type = kGauge, .bytes = 4}});
  std::shared_ptr<const CountersetSample> latest;
  testing::Allocations made;
  for (int second = 1; second <= kFirstSamples + kSamples; ++second) {
    std::vector<simulator::InstanceValues> rows;
    for (std::uint32_t row = 0; row < 200; ++row)
      rows.push_back({.name = name_of(row),
                      .id = row,
                      .values = {value_of_cell(row, 0, second), value_of_cell(row, 1, second),
                                 value_of_cell(row, 2, second)}});
    const simulator::Bytes bytes = tracked.result(rows);
    const testing::Allocations before = allocations();
    latest = tracked.take_bytes(bytes).value().sample;
    if (second > kFirstSamples) made += allocations() - before;
  }
  EXPECT_EQ(latest->reason[0], NoValue::kNone);
  EXPECT_EQ(made.count, 0U);
}

// Objects of 50 instances and 20 counters.
testing::ByteVector block_of(std::uint32_t objects, int second) {
  constexpr std::uint32_t kTypes[] = {kLargeRate, kRate, kLargeRate, kGauge};
  BlockBuilder block;
  block.perf_time({second * 1'000}, Frequency{1'000});
  for (std::uint32_t number = 0; number < objects; ++number) {
    const std::uint32_t index = kUnknown + 100 * number;
    ObjectBuilder object(index);
    for (std::uint32_t column = 0; column < 20; ++column)
      object.counter({.index = index + 2 * (column + 1),
                      .type = kTypes[column % 4],
                      .size = column % 2 == 0 ? 8U : 4U});
    for (std::size_t row = 0; row < 50; ++row) {
      std::vector<std::uint64_t> values;
      for (std::size_t column = 0; column < 20; ++column)
        values.push_back(value_of_cell(row, column, second));
      object.instance({.name = name_of(row), .values = std::move(values)});
    }
    block.add(object);
  }
  return block.bytes();
}

// docs/performance.md, "Memory", has the budget.
TEST(Memory, OfAValueStaysWithinItsBudgetHoweverManyThereAre) {
  constexpr std::uint64_t kBudget = 120;  // bytes, with what is given back meanwhile
  FakeSource names;
  const Catalog catalog = Catalog::load(names, Language::kEnglish);
  for (const std::uint32_t objects : {1U, 10U, 100U}) {
    const std::uint64_t values = std::uint64_t{objects} * 50 * 20;
    ObjectSampler sampler;
    Reply reply;
    SampledObjects latest;
    SampledObjects last;
    testing::Allocations first;
    testing::Allocations later;
    for (int second = 1; second <= kFirstSamples + kSamples; ++second) {
      testing::ByteVector bytes = block_of(objects, second);
      const testing::Allocations before = allocations();
      reply.blocks.clear();
      reply.blocks.push_back(std::move(bytes));
      std::swap(latest, last);
      sampler.take(reply, catalog, 1, {}, latest);
      (second > kFirstSamples ? later : first) += allocations() - before;
    }
    EXPECT_EQ(latest.samples.size(), objects);
    EXPECT_LE(first.bytes, kBudget * values) << objects;
    EXPECT_EQ(later.count, 0U) << objects;
  }
}

}  // namespace
}  // namespace winperf
