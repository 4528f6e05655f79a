// Whole V2 countersets in a log: what their providers have registered, and the replies in samples.
//
// Registration record, one for each counterset:
//   u32 length of all | u32, u32, u32 bytes of the three that follow | PERF_COUNTERSET_REG_INFO
//   with its counters | the table of the counters' names | the counterset's name, UTF-16 with its
//   NUL
// Item of a sample: PERF_DATA_HEADER and one result, as PerfQueryCounterData returned them; bytes
// after its dwTotalSize are padding.
//
// Validated: lengths nest; the registration has its GUID, the name ends; a reply has one result,
// each row of which lies within it. Not validated: the registration's counters and their names
// (wire/v2/registration.h does that). Offsets of errors are from the start of the record.
// Lifetime: not longer than the bytes. Thread rule: immutable.
// Source: docs/blg.md, "Registrations" and "Samples".
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string>

#include "collectors/model/error.h"
#include "collectors/model/guid.h"
#include "collectors/wire/byte_view.h"

namespace winperf::blg {

struct RegistrationRecord {
  Guid guid{};
  std::string name;                         // UTF-8
  std::span<const std::byte> registration;  // PERF_COUNTERSET_REG_INFO and what belongs to it
  std::span<const std::byte> counter_names;
  std::span<const std::byte> name_bytes;
};

[[nodiscard]] std::expected<RegistrationRecord, Error> read_registration(
    std::span<const std::byte> record);

// ItemKind::kV2Reply.
struct V2Reply {
  std::span<const std::byte> header;  // PERF_DATA_HEADER
  std::span<const std::byte> result;  // PERF_COUNTER_HEADER and its data
  std::uint64_t values = 0;           // 0 if the system answered with an error
};

[[nodiscard]] std::expected<V2Reply, Error> read_v2_reply(const ByteView& body);

}  // namespace winperf::blg
