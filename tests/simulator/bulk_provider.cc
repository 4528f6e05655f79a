#include "tests/simulator/bulk_provider.h"

#include <cstring>

#include "tests/simulator/codes.h"

namespace winperf::simulator {
namespace {

constexpr std::uint32_t kBulkCounterType = 0x00010100;
constexpr std::uint32_t kFirstValueOffset = 8;  // in a counter block, behind its length
constexpr std::uint64_t kFirstValue = 1'000'000;
constexpr std::uint64_t kStep = 1'000;

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
  for (std::size_t row = 0; row < offsets_.size(); ++row) {
    for (std::size_t i = 0; i < counters_; ++i) {
      const std::uint64_t value = kFirstValue + 100 * row + i;
      std::memcpy(object_.data() + offsets_[row] + 8 * i, &value, sizeof value);
    }
  }
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
  move_to((machine_.now().time_100ns - Now{}.time_100ns) / 10'000'000);
  std::memcpy(data, object_.data(), object_.size());
  data += object_.size();
  bytes = static_cast<std::uint32_t>(object_.size());
  object_types = 1;
  return kSuccess;
}

// The values depend on how many of the seconds were asked for; it is enough that they move.
void BulkProvider::move_to(std::int64_t second) {
  if (second == second_) return;
  second_ = second;
  for (std::size_t row = 0; row < offsets_.size(); ++row) {
    // Every second one, beginning with the first or the second.
    for (std::size_t i = (row + static_cast<std::size_t>(second)) % 2; i < counters_; i += 2) {
      std::uint64_t value = 0;
      std::byte* const place = object_.data() + offsets_[row] + 8 * i;
      std::memcpy(&value, place, sizeof value);
      value += kStep + i;
      std::memcpy(place, &value, sizeof value);
    }
  }
}

std::vector<std::pair<std::uint32_t, std::u16string>> BulkProvider::names() const {
  std::vector<std::pair<std::uint32_t, std::u16string>> names{{kBulkObject, u"Bulk"}};
  for (std::size_t i = 0; i < counters_; ++i)
    names.emplace_back(index_of(i), u"Bulk Counter " + utf16(i));
  return names;
}

}  // namespace winperf::simulator
