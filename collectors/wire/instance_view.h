// PERF_INSTANCE_DEFINITION (24 bytes and a name) with its counter block.
//
// Validated: the definition and its block lie within the object; name offset and length lie within
// the definition. Not validated: the name's text (name() replaces what cannot be decoded), the
// parent (it may point to an object or position that is not there).
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
  static std::expected<InstanceView, Error> parse(const ByteView& rest, std::uint32_t code_page,
                                                  const ParseLimits& limits);

  // Title index of the parent's object; 0 where there is no parent.
  ObjectIndex parent_object() const { return parent_object_; }
  // 0-based position in the parent object's instance list of the same block.
  std::uint32_t parent_position() const { return parent_position_; }
  // What identifies the instance instead of a name; nothing where the provider gave none.
  std::optional<std::uint32_t> unique_id() const { return unique_id_; }
  // Up to the first NUL; empty where there is no name.
  Text name() const;
  const CounterBlockView& block() const { return block_; }

  // Definition and name: equal bytes mean the same instance in the same place.
  std::span<const std::byte> definition_bytes() const { return definition_.bytes(); }
  // Of definition and counter block: where the next instance begins.
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

// Walks the instances of one object. After an error the walk is over: what follows has no known
// place. More instances counted than the bytes hold, or than the limits allow, are an error behind
// those that are there.
class InstanceWalk {
 public:
  // `rest`: from the first instance to the end of the object. `count`: as the object says.
  InstanceWalk(const ByteView& rest, std::uint32_t count, std::uint32_t code_page,
               const ParseLimits& limits)
      : rest_(rest), left_(count), code_page_(code_page), limits_(limits) {}

  std::optional<std::expected<InstanceView, Error>> next();

 private:
  std::expected<InstanceView, Error> parse_next() const;

  ByteView rest_;
  std::uint32_t left_;
  std::uint32_t walked_ = 0;
  std::uint32_t code_page_;
  ParseLimits limits_;
};

}  // namespace winperf
