#include "service/run/sampling_thread.h"

#include <charconv>
#include <utility>

#include "collectors/base/system_text.h"

namespace winperf {
namespace {

// "12.5 s".
std::string seconds_text(std::chrono::milliseconds time) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, static_cast<double>(time.count()) / 1000);
  return std::string(digits, end.ptr) + " s";
}

StateObserver log_changes(Logger logger) {
  return [logger = std::move(logger)](const CountersetState& state, StateChange change) {
    const std::string name =
        state.machine.empty() ? state.name : state.name + " on " + state.machine;
    switch (change) {
      case StateChange::kFails:
        logger->write(Event::kCountersetFails, name, describe_failure(state));
        break;
      case StateChange::kWorks:
        logger->write(Event::kCountersetWorks, name, "can be read again");
        break;
      case StateChange::kFallsBack:
        logger->write(Event::kCountersetFallsBack, name,
                      "PerfLib failed, so it is read through the registry: " +
                          describe(*state.preferred_path_error));
        break;
      case StateChange::kPathRestored:
        logger->write(Event::kCountersetPathRestored, name,
                      "is no longer read through the registry as a fallback");
        break;
      case StateChange::kDamaged:
        logger->write(Event::kCountersetDamaged, name,
                      "a part is damaged and was left out: " + describe(*state.sample->damage));
        break;
      case StateChange::kWhole:
        logger->write(Event::kCountersetWhole, name, "is no longer damaged");
        break;
      case StateChange::kStale:
        logger->write(Event::kCountersetStale, name,
                      "its values are more than " + seconds_text(state.stale_after) +
                          " old, so that its series end");
        break;
      case StateChange::kFresh:
        logger->write(Event::kCountersetWorks, name, "has fresh values again");
        break;
    }
  };
}

// A stop ends what the sources are doing, also before a sampler uses them.
void let_stop(const Setup& setup, const StopToken& stop) {
  for (CounterSource* const source : all_sources(setup)) source->set_stop(stop);
  if (setup.perflib) setup.perflib->set_stop(stop);
}

void log_worker(Log& log, const WorkerEvent& event) {
  log.write(event.end ? Event::kWorkerLost : Event::kWorkerWorks, event.worker, describe(event));
}

void log_sharing(Log& log, const SharingNews& news) {
  switch (news.change) {
    case SharingChange::kParted:
      log.write(Event::kProvidersParted,
                "each provider has a worker of its own from now on: " + news.text);
      break;
    case SharingChange::kTogether:
      log.write(Event::kProvidersTogether, news.text);
      break;
    case SharingChange::kHarm:
      log.write(Event::kProviderHarm, news.provider, news.text);
      break;
  }
}

}  // namespace

SamplingThread::SamplingThread(Setup setup, SampleSlot& slot, Logger logger,
                               AbandonedMatchObserver abandoned_match, ClockSource clocks)
    : setup_(std::move(setup)),
      slot_(slot),
      logger_(std::move(logger)),
      abandoned_match_(std::move(abandoned_match)),
      clocks_(std::move(clocks)),
      thread_([this] { run(); }, [this] { changes_.request_stop(); }) {}

void SamplingThread::change(const SharedConfig& config) {
  changes_.put([&](std::optional<Change>& change) {
    if (!change) change.emplace();
    change->config = config;
  });
}

void SamplingThread::change(Setup setup) {
  changes_.put([&](std::optional<Change>& change) {
    const SharedConfig config = setup.config;
    change = Change{.config = config, .setup = std::move(setup)};
  });
}

void SamplingThread::run() {
  try {
    sample(changes_.stop_token());
  } catch (const std::exception& error) {
    logger_->write(Event::kSamplingEnded, exception_text(error));
  }
}

void SamplingThread::sample(const StopToken& stop) {
  watchdog_.begin(std::chrono::steady_clock::now());
  let_stop(setup_, stop);
  Sampler sampler(sampler_sources(setup_), slot_, make_plan(setup_.config, abandoned_match_),
                  clocks_, log_changes(logger_));
  while (!stop.stop_requested()) {
    watchdog_.begin(std::chrono::steady_clock::now());
    const Sampler::Time due = sampler.step(stop);
    watchdog_.done();
    for (const WorkerEvent& event : sampler.take_worker_events()) log_worker(*logger_, event);
    for (const SharingNews& news : sampler.take_sharing_news()) log_sharing(*logger_, news);
    if (auto change = changes_.wait(due, clocks_)) {
      watchdog_.begin(std::chrono::steady_clock::now());
      if (change->setup) let_stop(*change->setup, stop);
      apply(*std::move(change), sampler);
    }
  }
  sampler.release();
}

void SamplingThread::apply(Change change, Sampler& sampler) {
  if (change.setup) {
    change.setup->config = std::move(change.config);
    sampler.change_sources(sampler_sources(*change.setup),
                           make_plan(change.setup->config, abandoned_match_));
    setup_ = *std::move(change.setup);
    return;
  }
  sampler.change_plan(make_plan(setup_.config, change.config, abandoned_match_));
  setup_.config = std::move(change.config);
}

}  // namespace winperf
