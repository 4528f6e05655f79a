// What a capture of recorded samples has of a counterset: its counters, and what readers need in
// addition to compute their values and to distinguish instances.
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/sample.h"

namespace winperf::capture {

// What the numbers of a written counter are.
enum class Origin : std::uint8_t {
  kValue,
  kBase,
  // The clock of a V2 counter.
  kTime,
  kFrequency,
  // What distinguishes an instance.
  kProcessId,
  kThreadId,
  kOwner,
  kStarted,
};

struct WrittenCounter {
  Origin origin = Origin::kValue;
  std::size_t column = 0;   // of the sample; identities have none
  std::uint32_t index = 0;  // title index, or id in a V2 counterset
  std::uint32_t help_index = 0;
  std::string name{};
  std::string help{};
  CounterType type{};
  std::uint32_t size = 0;  // bytes of the value
  std::int32_t scale = 0;
  std::uint32_t detail_level = 0;
};

// The identities that instances have, although no counter of theirs was sampled.
struct HiddenIdentity {
  bool process_id = false;
  bool thread_id = false;
  bool owner = false;
  bool started = false;

  // Those of a sample of this schema. `of_all`: the owner of a sample without instances.
  void note(const CountersetSchema& schema, const InstanceSet& instances,
            const std::optional<std::uint64_t>& of_all);
};

// Each counter comes before its base and its clocks, and identities come last. Those that have no
// title index have 0. `own_clocks`: whether counters may have separate clocks.
[[nodiscard]] std::vector<WrittenCounter> written_counters(const CountersetSchema& schema,
                                                           const HiddenIdentity& hidden,
                                                           bool own_clocks);

// Nothing if the row doesn't have it.
[[nodiscard]] std::optional<std::uint64_t> number_of(const WrittenCounter& counter,
                                                     const CountersetSample& sample,
                                                     std::size_t row);

// Whether its values are numbers of 4 or 8 bytes.
bool has_numbers(const WrittenCounter& counter);

}  // namespace winperf::capture
