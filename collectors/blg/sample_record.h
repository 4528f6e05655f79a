// The sample record: what was collected at one time, with an item for each entry of the counter
// list.
//
//   "BL" 3 0 | u32 length of all | items: "BL" 3, u8 kind | u32 length with this header | body
//
// Validated: the lengths of record and items nest. An item with an impossible length is an Error
// that ends the walk, so the rest of the record is lost. The readers below check the items' bodies.
// Offsets of errors are from the start of the record. Lifetime: not longer than the bytes.
// Thread rule: immutable, except for the walk.
// Source: docs/blg.md, "Samples".
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/counter_type.h"
#include "collectors/wire/byte_view.h"

namespace winperf::blg {

struct Item {
  std::uint8_t kind = 0;  // ItemKind, or an unknown kind
  ByteView body;
};

// Whether these bytes begin and end like a sample: a record that does is one, whatever its type
// says.
bool is_sample(std::span<const std::byte> record);

class ItemWalk {
 public:
  [[nodiscard]] static std::expected<ItemWalk, Error> over(std::span<const std::byte> record);

  [[nodiscard]] std::optional<std::expected<Item, Error>> next();

 private:
  explicit ItemWalk(const ByteView& rest) : rest_(rest) {}

  ByteView rest_;
};

// The raw value of one counter at one time.
struct RawValue {
  std::uint32_t status = 0;  // a PDH_CSTATUS_* code
  std::uint64_t first = 0;   // FirstValue
  std::uint64_t second = 0;  // SecondValue: the counter's time or base, depending on its type
};

// PDH_CSTATUS_VALID_DATA or PDH_CSTATUS_NEW_DATA.
constexpr bool is_valid(std::uint32_t status) { return status <= 1; }

// Whether SecondValue is the counter's time rather than its base.
constexpr bool second_is_time(const CounterTypeInfo& type) {
  return type.base == BaseKind::kNone || type.base == BaseKind::kMulti;
}

// ItemKind::kCounter.
struct CounterItem {
  RawValue value;
  std::uint64_t time = 0;  // FILETIME, local time
  std::uint32_t multi_count = 0;
};

// ItemKind::kInstances.
struct InstancesItem {
  struct Instance {
    std::string name;  // UTF-8
    RawValue value;
  };

  std::uint32_t status = 0;
  std::uint64_t time = 0;  // FILETIME, local time
  std::vector<Instance> instances;
};

[[nodiscard]] std::expected<CounterItem, Error> read_counter_item(const ByteView& body);
// An instance without a sound name makes the whole item an error, because a value without a name is
// useless.
[[nodiscard]] std::expected<InstancesItem, Error> read_instances_item(const ByteView& body);
// ItemKind::kWholeObject: the V1 block without the bytes after it; the whole body if it isn't a
// block, so that BlockView can report why.
std::span<const std::byte> block_of(const ByteView& body);

}  // namespace winperf::blg
