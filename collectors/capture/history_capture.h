// Makes a capture of what the recorder remembers, which replays as the samples were: raw values,
// bases, instances and clocks, in the formats in which they were delivered.
//
// It has what was sampled: the selected countersets, counters and instances, as far back as they
// are kept, and of what is thinned out the samples that are left. Samples that don't come from V1
// or V2 data are left out. Few samples are in memory at a time; the files are handed on one by one.
// Lifetime: not longer than the history. Thread rule: one thread; the history may be read by
// others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/capture/scrubber.h"
#include "collectors/recorder/history.h"

namespace winperf::capture {

struct HistoryQuery {
  Ticks100ns since;  // by the wall clock; the last samples before it are included
  Ticks100ns until;
  std::vector<std::string> countersets{};  // as configured; empty: all
  std::string machine{};                   // empty: this machine
  std::string computer{};                  // its name in the files; may be empty
  StopToken stop{};                        // ends the capture
};

// A counterset of a capture.
struct CapturedCounterset {
  std::string name;
  std::uint64_t samples = 0;
  Ticks100ns first{};
  Ticks100ns last{};
};

struct CaptureSummary {
  std::vector<CapturedCounterset> countersets;
  std::size_t v2_countersets = 0;
  std::uint32_t samples = 0;
  // Sentences about what is left out.
  std::vector<std::string> problems;
};

// Takes a file. An error ends the capture.
using PutFile = std::function<std::expected<void, std::string>(std::string_view name,
                                                               std::span<const std::byte> bytes)>;

// Everything but the manifest. `scrubber`: null, or what replaces the names; it has learnt those of
// the machine. Errors: those of `put`, a stop, and that history can't be read, which doesn't
// happen.
[[nodiscard]] std::expected<CaptureSummary, std::string> capture_history(
    const recorder::History& history, const HistoryQuery& query, Scrubber* scrubber,
    const PutFile& put);

}  // namespace winperf::capture
