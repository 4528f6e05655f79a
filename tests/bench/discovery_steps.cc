// Of a machine with a thousand objects: finding them, with metadata and without, and sampling them.
#include <chrono>

#include "collectors/discovery/discovery.h"
#include "collectors/sampler/sampler.h"
#include "tests/bench/everything.h"
#include "tests/bench/step.h"
#include "tests/simulator/crowd.h"
#include "tests/simulator/machine.h"
#include "tests/simulator/registry_source.h"

namespace winperf::testing {
namespace {

constexpr std::size_t kObjects = 1000;
constexpr std::size_t kInstances = 50;
constexpr std::size_t kFewInstances = 2;

class CrowdStep : public Step {
 public:
  CrowdStep(std::size_t instances, bool has_metadata) {
    machine_.add(simulator::crowd_provider(machine_, kObjects, {}, instances));
    machine_.supports_metadata = has_metadata;
  }

  std::size_t run() override {
    const auto inventory = take_inventory(source_, nullptr, {}, system_clocks(), {});
    return inventory && inventory->countersets.size() == kObjects ? inventory->bytes : 0;
  }
  std::uint64_t count() const override { return kObjects; }

 protected:
  simulator::Machine machine_;
  simulator::RegistrySource source_{machine_, {}};
};

class SampleCrowdStep final : public CrowdStep {
 public:
  explicit SampleCrowdStep(std::size_t instances) : CrowdStep(instances, false) {}

  void prepare() override {
    now_ += std::chrono::seconds(5);
    machine_.advance(5);
  }
  std::size_t run() override {
    sampler_.step({});
    std::size_t bytes = 0;
    for (const auto latest = slot_.latest(); const CountersetState& state : latest->countersets) {
      if (!state.success) return 0;
      bytes += state.bytes;
    }
    return bytes;
  }

 private:
  SampleSlot slot_;
  SteadyTime now_;
  Sampler sampler_{{.registry = source_},
                   slot_,
                   everything(source_),
                   {.steady_now = [this] { return now_; }, .wall_now = [] { return Ticks100ns{}; }},
                   {}};
};

template <class Made, class... Arguments>
std::unique_ptr<Step> of_crowd(std::string_view shape, Arguments... arguments) {
  if (shape == kCrowdShape) return std::make_unique<Made>(kInstances, arguments...);
  if (shape == kSmallCrowdShape) return std::make_unique<Made>(kFewInstances, arguments...);
  return nullptr;
}

template <bool kHasMetadata>
std::unique_ptr<Step> discovery(std::string_view shape) {
  return of_crowd<CrowdStep>(shape, kHasMetadata);
}

}  // namespace

std::vector<StepRow> discovery_steps() {
  return {
      {"find all objects, with metadata", "object", discovery<true>},
      {"find all objects, without metadata", "object", discovery<false>},
      {"sample all objects", "object", [](auto shape) { return of_crowd<SampleCrowdStep>(shape); }},
  };
}

}  // namespace winperf::testing
