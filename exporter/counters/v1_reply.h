// Writes what a V1 provider returns, straight from the section into the caller's room: objects with
// their definitions, instances and counter blocks.
//
// The size is known before the first byte is written, and each write is checked against it again,
// because another process may be changing what is read. Every structure begins at a multiple of 8
// bytes from the room's beginning; each value has 8 bytes of its block, whatever its counter's
// size.
//
// A value that isn't known has no definition. Neither has a base without the counter that it
// divides, nor that counter without its base: of either, an older service may lack one.
//
// Validated: the sum of the names' lengths against the names. Not validated: values and names.
// Compiled into the DLL (counter_row.h): no allocation, no lock, no wait. Thread rule: functions
// without state. Source: winperf.h; Learn, "Performance Data Format".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "exporter/counters/extension.h"
#include "exporter/counters/section_view.h"
#include "exporter/counters/v1_query.h"

namespace winperf::own {

struct V1Request {
  V1Query query{};
  TitleIndices indices{};
  std::int64_t now = 0;  // a FILETIME: the objects' clock, on which PERF_ELAPSED_TIME is read
};

enum class ReplyOutcome : std::uint8_t {
  kWritten,
  kTooSmall,  // the room; nothing was written
  kChanged,   // the state was written over meanwhile; the room may contain anything
  kDamaged,   // what the state says of itself is wrong; the room may contain anything
};

struct V1Reply {
  ReplyOutcome outcome = ReplyOutcome::kWritten;
  std::uint32_t bytes = 0;  // a multiple of 8
  std::uint32_t objects = 0;
};

V1Reply write_v1_reply(const SectionView& view, const SectionView::Copy& state,
                       const V1Request& request, std::span<std::byte> room);

}  // namespace winperf::own
