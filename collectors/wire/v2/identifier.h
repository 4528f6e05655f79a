// PERF_COUNTER_IDENTIFIER: what is asked of a query handle, and what comes back about it.
//
// Built: 40 bytes, for countersets with instances followed by the name's pattern in UTF-16 with its
// NUL, each block rounded up to 8 bytes. Read back after PerfAddCounters and PerfDeleteCounters
// (Status) and from PerfQueryCounterInfo (Index).
// Validated when reading: Size is at least 40, a multiple of 8 and within the bytes; the name ends
// within its block. Errors: kBadLength, kTruncated; what came before them holds.
// Source: Learn, PERF_COUNTER_IDENTIFIER.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/error.h"
#include "collectors/model/guid.h"
#include "collectors/wire/byte_view.h"
#include "collectors/wire/v2/blocks.h"

namespace winperf::v2 {

struct CounterRequest {
  Guid counterset{};
  std::uint32_t counter_id = kAllCounters;
  std::uint32_t instance_id = kAnyInstance;
  // A pattern of `*` and `?`, compared without regard to case; empty for countersets that have one
  // instance without a name. Cut to kLongestInstanceName.
  std::u16string instance_name{};
  bool operator==(const CounterRequest&) const = default;
};

struct Identifier {
  CounterRequest request{};
  std::uint32_t status = 0;  // a Win32 error; 0 is success
  std::uint32_t index = 0;   // which result of the data is this one's
};

std::vector<std::byte> build_identifiers(std::span<const CounterRequest> requests);

struct Identifiers {
  std::vector<Identifier> all;
  std::optional<Error> problem;  // behind the last of `all`
};

Identifiers parse_identifiers(std::span<const std::byte> bytes);

// A GUID within bytes whose range was proved.
inline Guid guid_at(const ByteView& proved, std::size_t offset) {
  Guid guid;
  std::memcpy(guid.bytes.data(), proved.bytes().data() + offset, Guid::kBytes);
  return guid;
}

}  // namespace winperf::v2
