// PERF_COUNTER_IDENTIFIER: one request to a query handle, and the system's answer.
//
// Built: 40 bytes and, for countersets with instances, the name's pattern in UTF-16 with its NUL;
// each block is rounded up to 8 bytes. Read back after PerfAddCounters and PerfDeleteCounters
// (Status) and from PerfQueryCounterInfo (Index).
// Validated when reading: Size is at least 40, a multiple of 8 and within the bytes; the name ends
// within its block. Errors: kBadLength, kTruncated; everything before them is valid.
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
  // A pattern of `*` and `?`, in any case; empty for countersets that have one instance without a
  // name. It is cut to kMaxInstanceName.
  std::u16string instance_name{};
  bool operator==(const CounterRequest&) const = default;
};

// Whether the system takes them as one: it may return the name in its own spelling.
bool alike(const CounterRequest& a, const CounterRequest& b);

struct Identifier {
  CounterRequest request{};
  std::uint32_t status = 0;  // a Win32 error; 0 is success
  std::uint32_t index = 0;   // which result of the data belongs to it
};

std::vector<std::byte> build_identifiers(std::span<const CounterRequest> requests);

struct Identifiers {
  std::vector<Identifier> all;
  std::optional<Error> problem;  // after the last of `all`
};

Identifiers parse_identifiers(std::span<const std::byte> bytes);

// A GUID within a view that was proved to hold it.
inline Guid guid_at(const ByteView& proved, std::size_t offset = 0) {
  Guid guid;
  std::memcpy(guid.bytes.data(), proved.bytes().data() + offset, Guid::kBytes);
  return guid;
}

}  // namespace winperf::v2
