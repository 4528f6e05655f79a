// What a V2 provider has registered about a counterset: PerfQueryCounterSetRegistrationInfo.
//
// Shapes: kCountersetStruct is PERF_COUNTERSET_REG_INFO and its PERF_COUNTER_REG_INFOs; strings are
// UTF-16 with a NUL; tables of strings are PERF_STRING_BUFFER_HEADER with one entry per counter.
// Validated: counts against the bytes; each text lies within them and is terminated. Not validated:
// types, and whether base, time and multi ids belong to counters of the set (find() does). Errors:
// kTruncated, kBadCount, kLimitExceeded, kBadText, kBadOffset, kDuplicateCounter. Thread rule:
// values. Source: Learn, PERF_COUNTERSET_REG_INFO, PERF_COUNTER_REG_INFO,
// PERF_STRING_BUFFER_HEADER.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/counter_type.h"
#include "collectors/model/error.h"
#include "collectors/model/guid.h"
#include "collectors/wire/parse_limits.h"
#include "collectors/wire/v2/blocks.h"

namespace winperf::v2 {

struct CounterRegistration {
  std::uint32_t id = 0;
  CounterType type{};
  std::uint64_t attributes = 0;  // kAttrib...
  std::uint32_t detail_level = 0;
  std::int32_t default_scale = 0;  // power of ten
  // Ids of the counters that it is computed with, if any.
  std::optional<std::uint32_t> base_id;
  std::optional<std::uint32_t> perf_time_id;
  std::optional<std::uint32_t> perf_freq_id;
  std::optional<std::uint32_t> multi_id;
  Aggregation aggregation = Aggregation::kUndefined;
  bool operator==(const CounterRegistration&) const = default;
};

struct CountersetRegistration {
  Guid guid;
  std::uint32_t detail_level = 0;
  InstanceType instance_type = InstanceType::kSingle;
  std::vector<CounterRegistration> counters;  // each id once, in the order of the registration
  std::vector<Error> problems;

  const CounterRegistration* find(std::uint32_t id) const;
};

[[nodiscard]] std::expected<CountersetRegistration, Error> parse_counterset(
    std::span<const std::byte> bytes, const ParseLimits& limits = {});

// Up to the first NUL, as UTF-8. Text without a NUL is an error.
[[nodiscard]] std::expected<std::string, Error> parse_string(std::span<const std::byte> bytes);

[[nodiscard]] std::expected<Guid, Error> parse_guid_bytes(std::span<const std::byte> bytes);

struct StringTable {
  std::map<std::uint32_t, std::string> texts;  // by counter id, UTF-8; without absent texts
  std::vector<Error> problems;
};

// Documents disagree on what an offset counts from: the start of the buffer (the SDK) or the end of
// the entries ([MS-PCQ]). If all offsets lead past the entries, they count from the start.
StringTable parse_string_table(std::span<const std::byte> bytes, const ParseLimits& limits = {});

}  // namespace winperf::v2
