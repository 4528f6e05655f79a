// What providers register: countersets and their counters, as manifests declare them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "collectors/model/guid.h"
#include "collectors/wire/v2/blocks.h"

namespace winperf::simulator {

// How blocks whose contents do not end at a multiple of 8 (an odd number of counter ids) are put
// before the next one.
enum class Padding {
  kCounted,         // padded, and the padding is part of the size
  kNone,            // not padded: the next block begins right there
  kLeftOut,         // padded, but the size says 8 + 4n: not as documented
  kBetweenResults,  // as kNone within a result; results begin at multiples of 8: not as documented
};
inline constexpr std::array kEveryPadding{Padding::kCounted, Padding::kNone, Padding::kLeftOut,
                                          Padding::kBetweenResults};

struct CounterDefinition {
  std::uint32_t id = 0;
  std::u16string name{};            // empty: the registration has no text for it
  std::uint32_t type = 0x00010000;  // PERF_COUNTER_RAWCOUNT
  std::uint8_t bytes = 4;           // of the raw data: 4 or 8
  std::optional<std::uint32_t> base_id{};
  std::optional<std::uint32_t> perf_time_id{};
  std::optional<std::uint32_t> perf_freq_id{};
  std::optional<std::uint32_t> multi_id{};
  std::uint64_t attributes = 0;
  std::int32_t default_scale = 0;
  v2::Aggregation aggregation = v2::Aggregation::kTotal;
  std::u16string help{};
  std::u16string local_name{};  // in the machine's language; empty: the English one
};

struct CountersetDefinition {
  Guid guid{};
  std::u16string name{};
  std::u16string help{};
  std::u16string local_name{};  // in the machine's language; empty: the English one
  v2::InstanceType instance_type = v2::InstanceType::kMultiple;
  std::vector<CounterDefinition> counters{};

  const CounterDefinition* find(std::uint32_t id) const {
    for (const CounterDefinition& counter : counters)
      if (counter.id == id) return &counter;
    return nullptr;
  }
};

// What a consumer asks a provider for; a provider may give more.
struct Mask {
  std::uint32_t counter_id = v2::kAllCounters;
  std::uint32_t instance_id = v2::kAnyInstance;
  std::u16string instance_name = u"*";
  bool many = true;  // the counterset is used with instances
};

// One instance with a value for each counter of the set, in the order of its definition.
struct InstanceValues {
  std::u16string name{};
  std::uint32_t id = 0;
  std::vector<std::uint64_t> values{};
};

}  // namespace winperf::simulator
