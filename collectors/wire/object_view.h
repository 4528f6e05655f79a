// PERF_OBJECT_TYPE (64 bytes): one object of a block, with its counters and instances.
//
// Validated: HeaderLength, DefinitionLength and TotalByteLength nest and lie within the block;
// NumInstances has a meaning: -1 single, n >= 0 multiple, -2 multiple and -3 single without data
// (metadata replies). Counter definitions and instances are checked when they are walked; one that
// is not sound, and a count that the bytes contradict, ends the walk with an Error, and what came
// before it holds.
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

namespace winperf {

class ObjectView {
 public:
  // `rest`: from the start of the object to the end of the block.
  static std::expected<ObjectView, Error> parse(const ByteView& rest, const ParseLimits& limits);

  ObjectIndex index() const { return ObjectIndex{field(12)}; }
  HelpIndex help_index() const { return HelpIndex{field(20)}; }
  std::uint32_t detail_level() const { return field(28); }
  // Title index or position of the counter to preselect in a chart; -1 none.
  std::int32_t default_counter() const { return view_.get<std::int32_t>(36); }
  std::uint32_t code_page() const { return field(44); }
  // The object's own clock; both 0 where it has none.
  ObjectTicks time() const { return {view_.get<std::int64_t>(48)}; }
  Frequency frequency() const { return {view_.get<std::int64_t>(56)}; }

  bool multi_instance() const;
  bool metadata_only() const;

  std::uint64_t offset() const { return view_.offset(); }
  std::uint32_t byte_length() const { return static_cast<std::uint32_t>(view_.size()); }

  // All definitions as delivered: equal bytes mean an equal schema.
  std::span<const std::byte> definition_bytes() const;
  CounterDefinitions counters() const;
  // Of an object with instances; no instance where it carries metadata only.
  InstanceWalk instances() const;
  // The one counter block of an object without instances.
  std::expected<CounterBlockView, Error> single_block() const;

 private:
  ObjectView(const ByteView& view, const ParseLimits& limits) : view_(view), limits_(limits) {}

  std::uint32_t field(std::uint32_t offset) const { return view_.get<std::uint32_t>(offset); }
  std::int32_t num_instances() const { return view_.get<std::int32_t>(40); }
  ByteView data(const char* where) const;

  ByteView view_;
  ParseLimits limits_;
};

}  // namespace winperf
