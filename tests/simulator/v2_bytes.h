// The PerfLib V2 structures as bytes: what the simulated system answers with. Written from the
// documentation of the structures, not with the reader under test.
// Source: Learn, "Perflib.h header".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/wire/v2/identifier.h"
#include "tests/simulator/definitions.h"
#include "tests/simulator/machine.h"

namespace winperf::simulator {

using Bytes = std::vector<std::byte>;

// One PERF_COUNTER_HEADER with all that follows it.
Bytes error_result(std::uint32_t status);

// `columns`: positions in the set's counters. `many_counters` and `instances` choose the kind.
struct ResultTable {
  const CountersetDefinition& counterset;
  std::vector<std::size_t> columns;
  std::vector<InstanceValues> rows;
  bool many_counters = true;
  bool has_instances = true;
  Padding padding = Padding::kCounted;
};
Bytes table_result(const ResultTable& table);

Bytes data_reply(const Now& now, std::span<const Bytes> results,
                 Padding padding = Padding::kCounted);

// PERF_COUNTER_IDENTIFIERs, each with its place as Index.
Bytes identifier_list(std::span<const v2::CounterRequest> requests);

// PERF_INSTANCE_HEADERs, one after another.
Bytes instance_list(std::span<const InstanceValues> instances);

Bytes counterset_info(const CountersetDefinition& counterset);
Bytes counter_info(const CounterDefinition& counter);
Bytes text(std::u16string_view text);
Bytes guid_bytes(const Guid& guid);

// `relative`: offsets count from the end of the entries, as one of the two documents has it.
Bytes string_table(std::span<const std::pair<std::uint32_t, std::u16string>> texts,
                   bool relative = false);

}  // namespace winperf::simulator
