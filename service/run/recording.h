// Makes captures of what the recorder remembers, for the API. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "collectors/base/stop.h"
#include "collectors/recorder/history.h"
#include "exporter/http/router.h"

namespace winperf {

// Of a recording, as it is sent and before it is compressed. It is in memory until it is sent.
struct RecordingLimits {
  std::uint64_t packed_bytes = std::uint64_t{32} << 20U;
  std::uint64_t plain_bytes = std::uint64_t{512} << 20U;
};

// Whose samples they are.
struct RecordedMachine {
  bool is_this = true;   // otherwise it is a target, or that of a recording
  std::string target{};  // its name
};

// What the names of its recordings begin with: "SRV1-".
std::string recording_prefix(const RecordedMachine& whose);
// "20261128T020000Z", for names of files.
std::string compact_time(Ticks100ns time);

struct RecordingProblem : api::Problem {
  bool is_too_large = false;  // less of it may not be
};

// A ZIP archive with a manifest. Errors: there is none of that time, it is too large, or a stop was
// requested.
[[nodiscard]] std::expected<RecordingFile, RecordingProblem> make_recording(
    const recorder::History& history, const api::RecordingQuery& query,
    const RecordedMachine& whose, const RecordingLimits& limits = {}, const StopToken& stop = {});

}  // namespace winperf
