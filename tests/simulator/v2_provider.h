// A V2 provider as the system sees it, whether its code runs in user or in kernel mode.
//
// The system copies a provider's data, so none of its code runs in the consumer, and a consumer's
// calls may come from several threads.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "tests/simulator/definitions.h"

namespace winperf::simulator {

class V2Provider {
 public:
  V2Provider() = default;
  V2Provider(const V2Provider&) = delete;
  V2Provider& operator=(const V2Provider&) = delete;
  virtual ~V2Provider() = default;

  virtual Guid guid() const = 0;
  virtual std::u16string name() const = 0;
  virtual std::vector<CountersetDefinition> countersets() const = 0;

  // A query subscribes to a counterset with this mask, or unsubscribes.
  virtual std::uint32_t add_counter(const CountersetDefinition&, const Mask&) { return 0; }
  virtual void remove_counter(const CountersetDefinition&, const Mask&) {}
  // The instances that are there now, without values. The error is a Win32 code.
  virtual std::expected<std::vector<InstanceValues>, std::uint32_t> enumerate(
      const CountersetDefinition& counterset, const Mask& mask) = 0;
  virtual std::expected<std::vector<InstanceValues>, std::uint32_t> collect(
      const CountersetDefinition& counterset, const Mask& mask) = 0;
};

}  // namespace winperf::simulator
