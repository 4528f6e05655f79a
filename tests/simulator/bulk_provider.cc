#include "tests/simulator/bulk_provider.h"

#include <cstring>

#include "tests/simulator/codes.h"

namespace winperf::simulator {
namespace {

constexpr std::uint32_t kBulkCounterType = 0x00010100;
constexpr std::uint32_t kFirstValueOffset = 8;  // in a counter block, behind its length

std::u16string utf16(std::size_t number) {
  const std::string digits = std::to_string(number);
  return {digits.begin(), digits.end()};
}

std::uint32_t index_of(std::size_t counter) {
  return kBulkObject + 2 * static_cast<std::uint32_t>(counter + 1);
}

testing::ObjectBuilder definition(std::size_t counters) {
  testing::ObjectBuilder object(kBulkObject);
  for (std::size_t i = 0; i < counters; ++i)
    object.counter({.index = index_of(i),
                    .type = kBulkCounterType,
                    .size = 8,
                    .offset = kFirstValueOffset + 8 * static_cast<std::uint32_t>(i)});
  for (std::size_t i = 0; i < kBulkInstances; ++i)
    object.instance({.name = u"bulk " + utf16(i), .values = {}});
  return object;
}

}  // namespace

BulkProvider::BulkProvider(const Machine& machine, std::size_t values)
    : V1Provider({.service = u"Bulk", .object_list = {kBulkObject}}),
      machine_(machine),
      counters_(values / kBulkInstances) {
  const testing::BuiltBlock block = testing::BlockBuilder().add(definition(counters_)).build();
  const testing::BuiltBlock::Object& object = block.objects.at(0);
  object_.assign(block.bytes.begin() + static_cast<std::ptrdiff_t>(object.offset),
                 block.bytes.end());
  for (const testing::BuiltBlock::Instance& instance : object.instances)
    offsets_.push_back(instance.block_offset - object.offset + kFirstValueOffset);
}

std::uint32_t BulkProvider::open(const char16_t*) { return kSuccess; }

std::uint32_t BulkProvider::close() { return kSuccess; }

std::uint32_t BulkProvider::collect(std::u16string_view query, std::byte*& data,
                                    std::uint32_t& bytes, std::uint32_t& object_types) {
  const std::uint32_t room = bytes;
  bytes = 0;
  object_types = 0;
  if (equal_ignoring_case(query, u"Costly")) return kSuccess;
  if (object_.size() > room) return kMoreData;
  auto value =
      static_cast<std::uint64_t>(machine_.now().time_100ns - Now{}.time_100ns) / 10'000'000;
  for (const std::size_t offset : offsets_) {
    for (std::size_t i = 0; i < counters_; ++i, ++value)
      std::memcpy(object_.data() + offset + 8 * i, &value, sizeof value);
  }
  std::memcpy(data, object_.data(), object_.size());
  data += object_.size();
  bytes = static_cast<std::uint32_t>(object_.size());
  object_types = 1;
  return kSuccess;
}

std::vector<std::pair<std::uint32_t, std::u16string>> BulkProvider::names() const {
  std::vector<std::pair<std::uint32_t, std::u16string>> names{{kBulkObject, u"Bulk"}};
  for (std::size_t i = 0; i < counters_; ++i)
    names.emplace_back(index_of(i), u"Bulk Counter " + utf16(i));
  return names;
}

}  // namespace winperf::simulator
