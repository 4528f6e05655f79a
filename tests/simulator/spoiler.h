// Where what a simulated machine answers can be made wrong, besides what faults.h has on a script:
// each function may change what it is given, and does nothing unless it is overridden. Thread rule:
// any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "collectors/model/guid.h"
#include "tests/simulator/definitions.h"

namespace winperf::simulator {

class Spoiler {
 public:
  Spoiler() = default;
  Spoiler(const Spoiler&) = delete;
  Spoiler& operator=(const Spoiler&) = delete;
  virtual ~Spoiler() = default;

  // In each call of PerfQueryCounterData before it does anything.
  virtual void before_perflib_data() {}
  // A V2 counterset's instances, as its provider gives them to PerfLib.
  virtual void instances(const Guid& /*counterset*/, std::vector<InstanceValues>& /*rows*/) {}
  // A counterset's PERF_COUNTER_HEADER with all that follows it.
  virtual void perflib_result(const Guid& /*counterset*/, std::vector<std::byte>& /*result*/) {}
  // PERF_DATA_HEADER with all results; a code is answered instead, with a need for one byte more.
  virtual std::optional<std::uint32_t> perflib_reply(std::vector<std::byte>& /*reply*/) {
    return std::nullopt;
  }
  // The block that a query of the registry is answered with.
  virtual void registry_block(std::vector<std::byte>& /*block*/) {}
  // The registry's value "Counter 009".
  virtual void name_table(std::vector<std::byte>& /*table*/) {}
  // Another one while the name table is another one.
  virtual std::uint32_t generation() const { return 0; }
};

}  // namespace winperf::simulator
