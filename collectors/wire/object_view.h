// PERF_OBJECT_TYPE (64 bytes): one object of a block, with its counters and instances.
//
// Validated: HeaderLength, DefinitionLength and TotalByteLength nest and lie within the block;
// NumInstances has a meaning: -1 single, n >= 0 multiple, -2 multiple and -3 single without data
// (metadata replies). Counter definitions and instances are checked when they are walked. An
// unsound one, or a count that contradicts the bytes, ends the walk with an Error; everything
// before it is valid.
//
// Lifetime: not longer than the block's bytes. Thread rule: immutable.
// Source: winperf.h, PERF_OBJECT_TYPE; Learn, "Performance Data Format".
#pragma once

#include <cstdint>
#include <expected>
#include <span>

#include "collectors/model/clock.h"
#include "collectors/model/ids.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/counter_definition.h"
#include "collectors/wire/instance_view.h"
#include "collectors/wire/parse_limits.h"
#include "collectors/wire/v1_format.h"

namespace winperf {

class ObjectView {
 public:
  // `rest`: from the start of the object to the end of the block.
  [[nodiscard]] static std::expected<ObjectView, Error> parse(const ByteView& rest,
                                                              const ParseLimits& limits);

  ObjectIndex index() const { return ObjectIndex{view_.get(v1::object::kNameIndex)}; }
  HelpIndex help_index() const { return HelpIndex{view_.get(v1::object::kHelpIndex)}; }
  std::uint32_t detail_level() const { return view_.get(v1::object::kDetailLevel); }
  // In which instances' names are written: what the object says, unless the names contradict it,
  // as those of a damaged object do.
  std::uint32_t code_page() const;
  // The object's own clock; both are 0 if it has none.
  ObjectTicks time() const { return {view_.get(v1::object::kPerfTime)}; }
  Frequency frequency() const { return {view_.get(v1::object::kPerfFreq)}; }

  bool multi_instance() const;
  bool metadata_only() const;

  std::uint64_t offset() const { return view_.offset(); }
  std::uint32_t byte_length() const { return static_cast<std::uint32_t>(view_.size()); }
  // Of header and counter definitions, which come before all data.
  std::uint32_t definition_length() const { return view_.get(v1::object::kDefinitionLength); }

  std::uint32_t num_counters() const { return view_.get(v1::object::kNumCounters); }

  // All definitions as delivered: equal bytes, of as many counters, mean an equal schema.
  std::span<const std::byte> definition_bytes() const;
  CounterDefinitions counters() const;
  // Of an object with instances; none if it carries only metadata.
  InstanceWalk instances() const;
  // The one counter block of an object without instances.
  [[nodiscard]] std::expected<CounterBlockView, Error> single_block() const;

 private:
  ObjectView(const ByteView& view, const ParseLimits& limits) : view_(view), limits_(limits) {}

  std::uint32_t header_length() const { return view_.get(v1::object::kHeaderLength); }
  InstanceWalk instances_in(std::uint32_t code_page) const;
  std::int32_t num_instances() const { return view_.get(v1::object::kNumInstances); }
  ByteView data(const char* where) const;

  ByteView view_;
  ParseLimits limits_;
};

}  // namespace winperf
