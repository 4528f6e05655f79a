// How the objects are described to PerfLib: GUIDs, ids of counters and of strings, and what
// PERF_COUNTER_INFO has of each counter. winperf_exporter.man says the same.
//
// A counter is the row with its id. PERF_ELAPSED_TIME needs two more counters, which no consumer
// shows: the object's time and its frequency.
// Thread rule: constants and values. Source: perflib.h; Learn, "Performance Counters Schema" 2.0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exporter/counters/own_counters.h"

namespace winperf::own {

// As a GUID of Windows lies in memory.
struct ProviderGuid {
  std::uint32_t data1;
  std::uint16_t data2;
  std::uint16_t data3;
  std::uint8_t data4[8];
};
// {2ccc91d9-7078-43ea-a5a0-a0d3dd714ee9}
inline constexpr ProviderGuid kProviderGuid{
    0x2CCC91D9, 0x7078, 0x43EA, {0xA5, 0xA0, 0xA0, 0xD3, 0xDD, 0x71, 0x4E, 0xE9}};
// {3ef6e6db-cd07-4f7f-8051-297e1e5bc42c}
inline constexpr ProviderGuid kExporterGuid{
    0x3EF6E6DB, 0xCD07, 0x4F7F, {0x80, 0x51, 0x29, 0x7E, 0x1E, 0x5B, 0xC4, 0x2C}};
// {775f8f9e-ecc0-4e9b-a948-2248321dfce1}
inline constexpr ProviderGuid kCountersetGuid{
    0x775F8F9E, 0xECC0, 0x4E9B, {0xA9, 0x48, 0x22, 0x48, 0x32, 0x1D, 0xFC, 0xE1}};

constexpr const ProviderGuid& guid_of(const ObjectRow& object) {
  return object.has_instances ? kCountersetGuid : kExporterGuid;
}

inline constexpr std::uint32_t kTimeId = 1000;
inline constexpr std::uint32_t kFrequencyId = 1001;

// PERF_COUNTER_INFO.Attrib: PERF_ATTRIB_BY_REFERENCE and PERF_ATTRIB_NO_DISPLAYABLE.
inline constexpr std::uint64_t kByReference = 1;
inline constexpr std::uint64_t kNoDisplay = 2;

struct V2Counter {
  std::uint32_t id;
  OwnType type;
  std::uint64_t attributes;
  std::uint32_t bytes;  // of the value or, by reference, of a pointer
  Detail detail;
  std::int32_t scale;
};

// By reference is what may be unknown, which is a null pointer; and PERF_AVERAGE_TIMER, whose type
// says 4 bytes although its values have 8: the reader of a referenced value of 8 bytes may take
// either.
constexpr bool is_by_reference(const ObjectRow& object, const CounterRow& row) {
  return !object.has_instances || row.type == OwnType::kAverageTimer;
}

// The counters of an object, in the order of their ids.
inline std::vector<V2Counter> v2_counters(const ObjectRow& object) {
  std::vector<V2Counter> counters;
  bool has_elapsed_time = false;
  for (const CounterRow& row : object.counters) {
    const bool by_reference = is_by_reference(object, row);
    counters.push_back(
        {.id = static_cast<std::uint32_t>(counters.size()),
         .type = row.type,
         .attributes = (by_reference ? kByReference : 0) | (is_base(row.type) ? kNoDisplay : 0),
         .bytes = by_reference ? std::uint32_t{8} : row.bytes,
         .detail = row.detail,
         .scale = row.scale});
    has_elapsed_time |= row.type == OwnType::kElapsedTime;
  }
  if (has_elapsed_time)
    for (const std::uint32_t id : {kTimeId, kFrequencyId})
      counters.push_back({.id = id,
                          .type = OwnType::kLargeRawCount,
                          .attributes = kNoDisplay,
                          .bytes = 8,
                          .detail = Detail::kAdvanced,
                          .scale = 0});
  return counters;
}

// The string in the executable's resources with a name; the help has the next id. They don't
// change when an object gets more counters.
constexpr std::uint32_t name_string(const ObjectRow& object) {
  return object.has_instances ? 2000 : 1000;
}
constexpr std::uint32_t name_string(const ObjectRow& object, std::size_t row) {
  return name_string(object) + 2 * static_cast<std::uint32_t>(row + 1);
}

}  // namespace winperf::own
