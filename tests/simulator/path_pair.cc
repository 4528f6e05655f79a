#include "tests/simulator/path_pair.h"

#include <utility>

#include "collectors/wire/text.h"

namespace winperf::simulator {

SimulatedSampler::SimulatedSampler(Machine& machine, std::vector<PlannedCounterset> plan,
                                   const std::string& remote)
    : perflib_(machine),
      source_(perflib_, remote),
      registry_(machine, {}),
      sampler_({.registry = registry_, .perflib = &source_}, slot_, std::move(plan),
               {.steady_now = [this] { return steady_; },
                .wall_now = [&machine] { return Ticks100ns{machine.now().time_100ns}; }},
               {}) {}

std::shared_ptr<const Sample> SimulatedSampler::round() {
  sampler_.step({});
  steady_ += std::chrono::seconds(1);
  latest_ = slot_.latest();
  return latest_;
}

std::uint64_t SimulatedSampler::problems(ErrorCode code) const {
  std::uint64_t count = 0;
  for (const ProblemCount& problem : latest_->problems)
    if (problem.code == code) count += problem.count;
  return count;
}

std::string SimulatedSampler::all_problems() const {
  std::string text;
  for (const ProblemCount& problem : latest_->problems)
    text += problem.counterset + ": " + describe(problem.last) + '\n';
  return text;
}

PlannedCounterset planned(std::string name, CounterPath path) {
  return {.label = name, .names = {name}, .interval = std::chrono::seconds(1), .path = path};
}

std::string utf8(const std::u16string& text) { return to_utf8(text); }

}  // namespace winperf::simulator
