// Everything that a V1 block says, as values that can be compared: read once through the views of
// collectors/wire, and once by a second parser that shares no code with them. Tests hold the two
// against each other on sound, damaged and random bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/raw_reading.h"
#include "collectors/wire/block_view.h"

namespace winperf::testing {

struct ValueDigest {
  NoValue reason = NoValue::kNone;
  std::uint64_t value = 0;
  bool operator==(const ValueDigest&) const = default;
};

struct InstanceDigest {
  std::string name{};
  std::uint32_t parent_object = 0;
  std::uint32_t parent_position = 0;
  std::optional<std::uint32_t> unique_id{};
  std::vector<ValueDigest> values{};
  bool operator==(const InstanceDigest&) const = default;
};

struct ObjectDigest {
  std::uint32_t index = 0;
  std::uint32_t help_index = 0;
  std::size_t offset = 0;
  bool multi_instance = false;
  bool metadata_only = false;
  ObjectTicks time{};
  Frequency frequency{};
  std::vector<CounterDefinition> counters{};
  std::vector<InstanceDigest> instances{};  // of an object without instances, one without a name
  std::size_t problems = 0;                 // met in the counters and instances
  bool operator==(const ObjectDigest&) const = default;
};

struct BlockDigest {
  bool valid = false;
  Clocks clocks{};
  std::string computer_name{};
  std::vector<ObjectDigest> objects{};
  std::size_t problems = 0;  // met between the objects, and objects that are not sound
  bool operator==(const BlockDigest&) const = default;
};

BlockDigest digest_by_views(std::span<const std::byte> bytes);
BlockDigest digest_by_reference(std::span<const std::byte> bytes);

// Problems of the block and of all its objects.
std::size_t problems_of(const BlockDigest& digest);

}  // namespace winperf::testing
