// How the exporter's own counters are described: a row for each, of which perfmon's names and help,
// the counters' definitions by both roads, docs/own-counters.md and HELP of /metrics are made.
//
// This header and those with the rows are compiled into a DLL that runs in other people's
// processes: they use nothing of the C++ runtime.
// Thread rule: constants. Source: winperf.h (types, levels of detail); Learn, "Performance Counters
// Schema".
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace winperf::own {

// Of PERF_COUNTER_DEFINITION.CounterType; tests compare them with the table of counter types and
// with winperf.h.
enum class OwnType : std::uint32_t {
  kRawCount = 0x0001'0000,
  kLargeRawCount = 0x0001'0100,
  kLargeDelta = 0x0040'0500,
  kQueueLength100ns = 0x0055'0500,
  kBulkCount = 0x1041'0500,
  kLargeRawFraction = 0x2002'0500,
  kLargeRawBase = 0x4003'0500,
  kTimer100ns = 0x2051'0500,
  kSampleFraction = 0x20C2'0400,
  kSampleBase = 0x4003'0401,
  kAverageTimer = 0x3002'0400,  // with 8 bytes, as disks have it
  kAverageBulk = 0x4002'0500,
  kAverageBase = 0x4003'0402,
  kElapsedTime = 0x3024'0500,
};

// PERF_DETAIL_*.
enum class Detail : std::uint32_t { kNovice = 100, kAdvanced = 200 };

// UTF-8.
struct OwnText {
  const char* name;
  const char* help;
};

struct CounterRow {
  const char* symbol;  // in the symbol file and the manifest
  OwnType type;
  std::uint32_t bytes;  // of the raw value: 4 or 8
  std::int32_t scale;   // power of ten that charts use
  Detail detail;
  OwnText english;
  OwnText german;
  OwnText french;
  // The family of /metrics that has the same number, or the numbers that it is the sum of, whose
  // HELP is the English help; null if there is none.
  const char* metric = nullptr;
};

struct ObjectRow {
  const char* symbol;
  bool has_instances;
  std::size_t default_counter;  // the row of the counter that perfmon selects first
  OwnText english;
  OwnText german;
  OwnText french;
  std::span<const CounterRow> counters;
};

// A base directly follows the counter that it divides.
constexpr bool is_base(OwnType type) {
  return type == OwnType::kLargeRawBase || type == OwnType::kSampleBase ||
         type == OwnType::kAverageBase;
}

}  // namespace winperf::own
