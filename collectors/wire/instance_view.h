// PERF_INSTANCE_DEFINITION (24 bytes and a name) with its counter block.
//
// Validated: the definition and its block lie within the object; name offset and length lie within
// the definition. Not validated: the name's text (name() replaces what can't be decoded) and the
// parent, which may be an object or a position that doesn't exist.
// Lifetime: not longer than the block's bytes. Thread rule: immutable.
// Source: winperf.h, PERF_INSTANCE_DEFINITION.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>

#include "collectors/model/ids.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/counter_definition.h"
#include "collectors/wire/parse_limits.h"
#include "collectors/wire/text.h"

namespace winperf {

class InstanceView {
 public:
  // `rest`: from the start of the definition to the end of its object.
  [[nodiscard]] static std::expected<InstanceView, Error> parse(const ByteView& rest,
                                                                std::uint32_t code_page,
                                                                const ParseLimits& limits);

  // Title index of the parent's object; 0 if there is no parent.
  ObjectIndex parent_object() const { return parent_object_; }
  // 0-based position in the parent object's instance list of the same block.
  std::uint32_t parent_position() const { return parent_position_; }
  // Identifies the instance instead of a name; empty if the provider set none.
  std::optional<std::uint32_t> unique_id() const { return unique_id_; }
  // Up to the first NUL; empty if there is no name.
  Text name() const;
  // As it is stored, with what comes after the NUL.
  std::span<const std::byte> name_bytes() const { return name_.bytes(); }
  const CounterBlockView& block() const { return block_; }

  // Definition and name: equal bytes mean the same instance in the same place.
  std::span<const std::byte> definition_bytes() const { return definition_.bytes(); }
  // Of definition and counter block together: the next instance begins after them.
  std::uint64_t byte_length() const { return definition_.size() + block_.byte_length(); }

 private:
  InstanceView(const ByteView& definition, const ByteView& name, const CounterBlockView& block,
               std::uint32_t code_page);

  ByteView definition_;
  ByteView name_;
  CounterBlockView block_;
  std::uint32_t code_page_;
  ObjectIndex parent_object_;
  std::uint32_t parent_position_;
  std::optional<std::uint32_t> unique_id_;
};

// Walks the instances of one object. An error ends the walk, because the place of the next instance
// is unknown then. If more instances are counted than the bytes hold or the limits allow, that is
// an error after those that are present.
class InstanceWalk {
 public:
  // `rest`: from the first instance to the end of the object. `count`: as the object says.
  InstanceWalk(const ByteView& rest, std::uint32_t count, std::uint32_t code_page,
               const ParseLimits& limits)
      : rest_(rest),
        count_(count, limits.instances_per_object),
        code_page_(code_page),
        limits_(limits) {}

  [[nodiscard]] std::optional<std::expected<InstanceView, Error>> next();

 private:
  [[nodiscard]] std::expected<InstanceView, Error> parse_next() const;

  ByteView rest_;
  ElementCount count_;
  std::uint32_t code_page_;
  ParseLimits limits_;
};

}  // namespace winperf
