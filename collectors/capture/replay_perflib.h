// PerfLib's countersets, replayed from a recording. Registrations are returned as they were
// recorded. The first time that a set is collected, it is the first sample, the second time the
// second one, and so on; after requests were added, it is the same sample again, because its user
// is still working on that sample. A reply is the recorded one, byte for byte, so that it is parsed
// as it was then: a request's place is that of the recorded order, and a result holds the whole
// counterset, with all counters and instances, even if fewer were requested.
//
// Errors: like PerfLib's, with kGuidNotFound for a counterset that the recording doesn't have,
// kNotFound for a name of one that it has, kEndOfData after the last sample. Missing results are
// appended to those of a sample, as error results with kInvalidData, because kNoData would say that
// no instance was active. Validated: the lengths of results if some have to be appended. The reader
// checks everything else. Thread rule: one thread at a time. Source: docs/capture.md.
#pragma once

#include <cstdint>
#include <memory>

#include "collectors/sources/perflib_source.h"
#include "collectors/sources/replay.h"

namespace winperf::capture {

inline constexpr std::uint32_t kEndOfData = 38;  // ERROR_HANDLE_EOF

// Null if the recording has no V2 countersets.
std::unique_ptr<PerflibSource> replay_perflib(std::unique_ptr<V2Recording> recording);
// The same for a capture of so many samples.
std::unique_ptr<PerflibSource> replay_perflib(std::shared_ptr<const CaptureFolder> folder,
                                              std::uint32_t samples);

}  // namespace winperf::capture
