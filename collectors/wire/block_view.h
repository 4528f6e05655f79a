// PERF_DATA_BLOCK (88 bytes and the computer's name): one reply of HKEY_PERFORMANCE_DATA.
//
//   header, HeaderLength bytes | object 0, its TotalByteLength bytes | object 1 | ...
//
// Validated: signature, byte order, version, and that HeaderLength and TotalByteLength nest within
// the bytes (more bytes may follow TotalByteLength). Objects are checked when they are walked.
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
#include "collectors/wire/v1_format.h"

namespace winperf {

// Walks the objects of one block. A corrupt object is an Error; the walk goes on after it if its
// own length leads to a place within the block, and ends otherwise. Fewer or more objects than the
// header counts, or more than the limits allow, are an Error at the end; all objects that were
// present, counted and within the limits have been returned by then.
class ObjectWalk {
 public:
  ObjectWalk(const ByteView& rest, std::uint32_t count, const ParseLimits& limits)
      : rest_(rest), count_(count, limits.objects), limits_(limits) {}

  [[nodiscard]] std::optional<std::expected<ObjectView, Error>> next();

 private:
  // An object that NumObjectTypes leaves out.
  std::optional<Error> uncounted() const;

  ByteView rest_;
  ElementCount count_;
  bool over_ = false;
  ParseLimits limits_;
};

class BlockView {
 public:
  [[nodiscard]] static std::expected<BlockView, Error> parse(std::span<const std::byte> bytes,
                                                             const ParseLimits& limits = {});

  std::uint32_t object_count() const { return view_.get(v1::block::kNumObjectTypes); }
  // Without the clock of an object.
  Clocks clocks() const;
  // UTF-8; empty if the name doesn't lie within the header.
  std::string computer_name() const;
  std::uint32_t byte_length() const { return static_cast<std::uint32_t>(view_.size()); }

  ObjectWalk objects() const;

 private:
  BlockView(const ByteView& view, const ParseLimits& limits) : view_(view), limits_(limits) {}

  std::uint32_t header_length() const { return view_.get(v1::block::kHeaderLength); }

  ByteView view_;
  ParseLimits limits_;
};

}  // namespace winperf
