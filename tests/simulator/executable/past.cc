#include "tests/simulator/executable/past.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <expected>
#include <iostream>
#include <string>
#include <utility>

#include "collectors/sampler/sampler.h"
#include "service/plan/plan.h"
#include "service/run/discovery.h"
#include "service/run/threads.h"
#include "tests/simulator/own_section.h"
#include "tests/simulator/passing_time.h"

namespace winperf::simulator {
namespace {

// A past of some hours has a gap in its middle, as of a machine that slept.
constexpr std::chrono::hours kLongPast{2};
constexpr std::chrono::minutes kSleep{10};

// Of what is older, the recorder keeps a sample a minute: so many are enough, and take less time.
constexpr std::chrono::minutes kAllFor{20};
constexpr std::chrono::seconds kSeldom{20};

Config seldom_sampled(Config config) {
  for (CountersetConfig& counterset : config.countersets) {
    counterset.interval = std::max<std::chrono::milliseconds>(counterset.interval, kSeldom);
    counterset.stale_after =
        std::max<std::chrono::milliseconds>(counterset.stale_after, 3 * kSeldom);
  }
  return config;
}

// As the sampling thread does it, but all in this process, and without waiting.
void sample(const Setup& setup, recorder::Recorder& recorder) {
  const ClockSource clocks = passing_clocks();
  SampleSlot slot;
  const Config seldom = seldom_sampled(setup.config);
  Sampler sampler(sampler_sources(setup), slot, make_plan(seldom, AbandonedMatchObserver()), clocks,
                  {});
  const auto sample_until = [&](std::chrono::nanoseconds left) {
    while (past_left() > left) {
      const SteadyTime due = sampler.step({});
      if (const auto sample = slot.latest()) recorder.add(*sample);
      clocks.pause_until(due, {});
    }
  };
  if (const auto whole = past_left(); whole >= kLongPast) {
    sample_until(whole / 2);
    clocks.pause_until(clocks.steady_now() + kSleep, {});
  }
  sample_until(kAllFor);
  sampler.change_plan(make_plan(seldom, setup.config));
  sample_until({});
  sampler.release();
}

std::expected<void, std::string> remember_past(SetupOptions options, const SharedConfig& config,
                                               recorder::Recorder& recorder) {
  options.origin = {};  // no workers
  auto found = discover_and_expand(options, config, {});
  if (!found) return std::unexpected(found.error());
  const auto setup = open_sources(options, std::move(found->config));
  if (!setup) return std::unexpected(setup.error());
  recorder.change_budget(recorder_share(setup->config));
  go_back(past_of_environment());
  sample(*setup, recorder);
  go_on();
  return {};
}

}  // namespace

void begin_earlier(RunOptions& options) {
  options.clocks = passing_clocks();
  if (const char* const section = std::getenv(kOwnSectionVariable))
    options.own_counters.v1 = section_at(section);
  if (past_of_environment().count() == 0) return;
  options.past = [setup = options.setup](const SharedConfig& config, recorder::Recorder& recorder) {
    if (const auto done = remember_past(setup, config, recorder); !done) {
      std::cerr << kPastVariable << ": " << done.error() << std::endl;
      std::exit(2);
    }
  };
}

}  // namespace winperf::simulator
