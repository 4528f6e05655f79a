// Samples the same countersets of a simulated machine by both paths.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/sampler/sampler.h"
#include "collectors/sources/perflib_client.h"
#include "tests/simulator/machine.h"
#include "tests/simulator/perflib_face.h"
#include "tests/simulator/registry_source.h"

namespace winperf::simulator {

// A sampler on its own faces of the machine, whose rounds a test asks for.
class SimulatedSampler {
 public:
  SimulatedSampler(Machine& machine, std::vector<PlannedCounterset> plan,
                   const std::string& remote = {});

  // One round, a second after the last one by the sampler's clock.
  std::shared_ptr<const Sample> round();
  void change_plan(std::vector<PlanStep> steps) { sampler_.change_plan(std::move(steps)); }
  const CountersetState& state(std::size_t index = 0) const {
    return latest_->countersets.at(index);
  }
  std::uint64_t problems(ErrorCode code) const;
  std::string all_problems() const;

  PerflibFace& perflib() { return perflib_; }
  const RegistryFace& registry() const { return registry_.face(); }
  void pass(std::chrono::seconds time) { steady_ += time; }

 private:
  PerflibFace perflib_;
  PerflibClient source_;
  RegistrySource registry_;
  SampleSlot slot_;
  std::chrono::steady_clock::time_point steady_;
  std::shared_ptr<const Sample> latest_;
  Sampler sampler_;
};

PlannedCounterset planned(std::string name, CounterPath path = CounterPath::kAuto);

// "Processor Information" of u"Processor Information".
std::string utf8(const std::u16string& text);

}  // namespace winperf::simulator
