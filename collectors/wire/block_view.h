// PERF_DATA_BLOCK (88 bytes and the computer's name): one reply of HKEY_PERFORMANCE_DATA.
//
//   header, HeaderLength bytes | object 0, its TotalByteLength bytes | object 1 | ...
//
// Validated: signature, byte order, version, and that HeaderLength and TotalByteLength nest within
// the bytes (which may go on behind TotalByteLength). Objects are checked when they are walked.
// Lifetime: not longer than the bytes. Thread rule: immutable.
// Source: winperf.h, PERF_DATA_BLOCK; Learn, "Performance Data Format".
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>

#include "collectors/model/clock.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/object_view.h"
#include "collectors/wire/parse_limits.h"

namespace winperf {

// Walks the objects of one block. A corrupt object is an Error, and the walk goes on behind it as
// long as its own length leads to a place within the block; otherwise the walk is over. Fewer
// objects than the header says, more of them, and more than the limits are an Error at the end;
// those that were there, were counted and were within the limits have been delivered by then.
class ObjectWalk {
 public:
  ObjectWalk(const ByteView& rest, std::uint32_t count, const ParseLimits& limits)
      : rest_(rest), left_(count), limits_(limits) {}

  std::optional<std::expected<ObjectView, Error>> next();

 private:
  // What NumObjectTypes and the bytes that are left say about each other.
  std::optional<Error> check_counts() const;

  ByteView rest_;
  std::uint32_t left_;
  std::uint32_t walked_ = 0;
  bool over_ = false;
  ParseLimits limits_;
};

class BlockView {
 public:
  static std::expected<BlockView, Error> parse(std::span<const std::byte> bytes,
                                               const ParseLimits& limits = {});

  std::uint32_t object_count() const { return view_.get<std::uint32_t>(28); }
  // Title index of the object to preselect in a chart.
  std::int32_t default_object() const { return view_.get<std::int32_t>(32); }
  // Without the clock of an object.
  Clocks clocks() const;
  // UTF-8; empty where the header's name does not lie within it.
  std::string computer_name() const;
  std::uint32_t byte_length() const { return static_cast<std::uint32_t>(view_.size()); }

  ObjectWalk objects() const;

 private:
  BlockView(const ByteView& view, const ParseLimits& limits) : view_(view), limits_(limits) {}

  std::uint32_t header_length() const { return view_.get<std::uint32_t>(24); }

  ByteView view_;
  ParseLimits limits_;
};

}  // namespace winperf
