// A V2 provider in user mode, by the contract of the PerfLib provider functions (named after them):
// it describes its countersets, makes and deletes instances, and sets values that the system copies
// when a consumer asks. A value may be given by reference. The control callback hears of what
// consumers do, and an error from it goes to the consumer.
// Thread rule: any thread. Source: Learn, "Providing Counter Data Using Version 2.0".
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "tests/simulator/v2_provider.h"

namespace winperf::simulator {

enum class ControlRequest : std::uint32_t {
  kAddCounter = 1,
  kRemoveCounter = 2,
  kEnumerateInstances = 3,
  kCollectStart = 5,
  kCollectEnd = 6,
  kFilter = 9,
};

using ControlCallback = std::function<std::uint32_t(ControlRequest, const Guid& counterset)>;

class UserProvider final : public V2Provider {
 public:
  // What PerfCreateInstance gives.
  struct InstanceKey {
    Guid counterset;
    std::u16string name;
    std::uint32_t id = 0;
    auto operator<=>(const InstanceKey&) const = default;
  };

  // PerfStartProviderEx; the definitions are those of the manifest.
  UserProvider(Guid guid, std::u16string name, std::vector<CountersetDefinition> definitions,
               ControlCallback callback = {})
      : guid_(guid),
        name_(std::move(name)),
        definitions_(std::move(definitions)),
        callback_(std::move(callback)) {}

  // ERROR_ALREADY_EXISTS (183) for a name and id that are there, ERROR_INVALID_PARAMETER (87) for a
  // counterset that was not described, or a second instance of a single-instance one.
  std::uint32_t create_instance(const InstanceKey& key);
  std::uint32_t delete_instance(const InstanceKey& key);
  // Values by counter id; ERROR_NOT_FOUND (1168) if there is no such instance or counter.
  std::uint32_t set_value(const InstanceKey& key, std::uint32_t counter_id, std::uint64_t value);
  std::uint32_t increment(const InstanceKey& key, std::uint32_t counter_id, std::uint64_t by);
  // The value is read from `value` whenever a consumer asks; null is ERROR_NO_DATA then.
  std::uint32_t set_reference(const InstanceKey& key, std::uint32_t counter_id,
                              const std::uint64_t* value);
  // PerfStopProvider, or the end of its process: its instances vanish, its registration stays.
  void stop();
  void start();
  // What the system answers to whoever adds a counter from now on.
  void refuse_additions(std::uint32_t status) { refusal_ = status; }

  Guid guid() const override { return guid_; }
  std::u16string name() const override { return name_; }
  std::vector<CountersetDefinition> countersets() const override { return definitions_; }
  std::uint32_t add_counter(const CountersetDefinition& counterset, const Mask& mask) override;
  void remove_counter(const CountersetDefinition& counterset, const Mask& mask) override;
  std::expected<std::vector<InstanceValues>, std::uint32_t> enumerate(
      const CountersetDefinition& counterset, const Mask& mask) override;
  std::expected<std::vector<InstanceValues>, std::uint32_t> collect(
      const CountersetDefinition& counterset, const Mask& mask) override;

 private:
  struct Value {
    std::uint64_t number = 0;
    bool by_reference = false;
    const std::uint64_t* reference = nullptr;
  };
  using Values = std::map<std::uint32_t, Value>;  // by counter id

  const CountersetDefinition* find(const Guid& counterset) const;
  Value* value_of(const InstanceKey& key, std::uint32_t counter_id);
  std::uint32_t call(ControlRequest request, const Guid& counterset) const;
  // What the system copies between the beginning and the end of a collection.
  std::expected<std::vector<InstanceValues>, std::uint32_t> copied(
      const CountersetDefinition& counterset) const;

  const Guid guid_;
  const std::u16string name_;
  const std::vector<CountersetDefinition> definitions_;
  const ControlCallback callback_;
  mutable std::mutex mutex_;
  bool running_ = true;
  std::atomic<std::uint32_t> refusal_ = 0;
  std::vector<std::pair<InstanceKey, Values>> instances_;  // in order of creation
};

}  // namespace winperf::simulator
