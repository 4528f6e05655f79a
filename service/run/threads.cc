#include "service/run/threads.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "collectors/base/system_text.h"
#include "collectors/model/sample.h"
#include "exporter/profiles/collector.h"
#include "service/targets/target_memory.h"

namespace winperf {
namespace {

void log_worker(Log& log, const WorkerEvent& event) {
  log.write(event.end ? Event::kWorkerLost : Event::kWorkerWorks, event.worker, describe(event));
}

std::string facts_about(FactTopic topic) { return "facts about " + std::string(name_of(topic)); }

// A problem with one file or folder. Each is a separate subject, so that the log's limit per
// subject suppresses none.
void log_textfile(Log& log, const std::string& trouble) {
  const std::string about = facts_about(FactTopic::kTextfile) + ": ";
  const std::size_t end = trouble.find(": ");
  if (end == trouble.npos) return log.write(Event::kFactsFail, about + trouble, "it is left out");
  log.write(Event::kFactsFail, about + trouble.substr(0, end), trouble.substr(end + 2));
}

FactObserver log_fact_changes(Logger logger) {
  return [logger = std::move(logger)](FactTopic topic, const Error* error) {
    const std::string name = facts_about(topic);
    // Unsupported on this system, which isn't worth a line.
    if (error != nullptr && error->code == ErrorCode::kUnsupported) return;
    if (error != nullptr) {
      logger->write(Event::kFactsFail, name, "cannot be read: " + describe(*error));
    } else {
      logger->write(Event::kFactsWork, name, "can be read");
    }
  };
}

// Records the topic that is being read, for other threads.
class NotedSource final : public FactSource {
 public:
  NotedSource(FactSource& inner, std::atomic<const FactTopicInfo*>& now)
      : inner_(inner), now_(now) {}

  std::expected<FactTable, Error> read(const FactRequest& request, const StopToken& stop) override {
    now_ = &info_of(request.topic);
    auto table = inner_.read(request, stop);
    now_ = nullptr;
    return table;
  }
  bool rest_until(SteadyTime next) override { return inner_.rest_until(next); }
  std::vector<WorkerView*> workers() override { return inner_.workers(); }

 private:
  FactSource& inner_;
  std::atomic<const FactTopicInfo*>& now_;
};

std::chrono::milliseconds stale_after(const FactConfig& fact) {
  const auto usual = default_stale_after(fact.interval);
  if (fact.topic != FactTopic::kTextfile) return usual;
  return std::max<std::chrono::milliseconds>(usual, kTextfilesKept);
}

}  // namespace

std::vector<PlannedFacts> make_fact_plan(const Config& config) {
  std::vector<PlannedFacts> plan;
  for (const FactConfig& fact : config.facts) {
    // Text files have separate metrics.
    if (fact.topic != FactTopic::kTextfile && !is_shown(fact.topic, config.metrics.profiles))
      continue;
    plan.push_back({.request = {.topic = fact.topic, .folders = fact.folders, .rows = fact.rows},
                    .interval = fact.interval,
                    .stale_after = stale_after(fact)});
  }
  return plan;
}

FactsThread::FactsThread(SharedConfig config, FactSlot& slot, Logger logger, ClockSource clocks,
                         MakeSource make_source)
    : config_(std::move(config)),
      slot_(slot),
      logger_(std::move(logger)),
      clocks_(std::move(clocks)),
      make_source_(std::move(make_source)),
      thread_([this] { run(); }, [this] { changes_.request_stop(); }) {}

void FactsThread::change(SharedConfig config) {
  changes_.put([&](std::optional<SharedConfig>& change) { change = std::move(config); });
}

std::string FactsThread::subject() const {
  const FactTopicInfo* const topic = now_;
  return topic != nullptr ? facts_about(topic->topic) : "facts";
}

void FactsThread::run() {
  try {
    read(changes_.stop_token());
  } catch (const std::exception& error) {
    logger_->write(Event::kFactsFail, "facts", "are no longer read: " + exception_text(error));
  }
}

void FactsThread::read(const StopToken& stop) {
  files_ = std::make_unique<TextfileSource>(make_source_(config_), clocks_);
  NotedSource source(*files_, now_);
  FactKeeper keeper(source, slot_, make_fact_plan(config_), clocks_.steady_now,
                    log_fact_changes(logger_));
  while (!stop.stop_requested()) {
    const SteadyTime due = step(keeper, source, stop);
    auto next = changes_.wait(due, clocks_);
    if (!next || stop.stop_requested()) continue;
    if ((*next)->workers != config_->workers || (*next)->limits != config_->limits) {
      files_->replace(make_source_(*next));
    }
    keeper.change_plan(make_fact_plan(*next));
    config_ = *std::move(next);
  }
  files_->replace(nullptr);  // a worker ends now
}

void FactsThread::log_textfiles() {
  // Limits the lines, so that a thousand bad files don't flood the log.
  constexpr std::size_t kMost = 20;
  const auto known = slot_.latest();
  const auto state = std::ranges::find(known->topics, FactTopic::kTextfile, &FactState::topic);
  if (state == known->topics.end() || !state->success) return;
  const std::set<std::string> now(state->table->problems.begin(), state->table->problems.end());
  std::size_t logged = 0;
  for (const std::string& trouble : now)
    if (!troubles_.contains(trouble) && logged++ < kMost) log_textfile(*logger_, trouble);
  if (logged > kMost)
    logger_->write(Event::kFactsFail, facts_about(state->topic),
                   std::to_string(logged - kMost) + " more files are refused or cannot be read");
  if (now.empty() && !troubles_.empty())
    logger_->write(Event::kFactsWork, facts_about(state->topic), "all files are accepted again");
  troubles_ = now;
}

SteadyTime FactsThread::step(FactKeeper& keeper, FactSource& source, const StopToken& stop) {
  // A lack of memory is retried, like a topic that fails.
  constexpr std::chrono::minutes kRest{1};
  try {
    const SteadyTime due = keeper.step(stop);
    for (WorkerView* const worker : source.workers())
      for (const WorkerEvent& event : worker->take_events()) log_worker(*logger_, event);
    log_textfiles();
    return due;
  } catch (const std::exception& error) {
    logger_->write(Event::kFactsFail, "facts", "cannot be read: " + exception_text(error));
    return clocks_.steady_now() + kRest;
  }
}

namespace {

// "12.5 s".
std::string seconds_text(std::chrono::milliseconds time) {
  char digits[32];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, static_cast<double>(time.count()) / 1000);
  return std::string(digits, end.ptr) + " s";
}

StateObserver log_changes(Logger logger, const SamplingWatcher& watcher) {
  return [logger = std::move(logger), fails = watcher.counterset_fails](
             const CountersetState& state, StateChange change) {
    const std::string name =
        state.machine.empty() ? state.name : state.name + " on " + state.machine;
    switch (change) {
      case StateChange::kFails:
        logger->write(Event::kCountersetFails, name, describe_failure(state));
        if (fails && state.sample != nullptr) fails(name);
        break;
      case StateChange::kFailsOtherwise:
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
                          " old, so its series end");
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

void log_sharing(Log& log, const SharingNews& news) {
  switch (news.change) {
    case SharingChange::kIsolated:
      log.write(Event::kProvidersParted,
                "each provider runs in a separate worker from now on: " + news.text);
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
                               AbandonedMatchObserver abandoned_match, ClockSource clocks,
                               recorder::Recorder* recorder, SamplingWatcher watcher)
    : setup_(std::move(setup)),
      slot_(slot),
      logger_(std::move(logger)),
      abandoned_match_(std::move(abandoned_match)),
      clocks_(std::move(clocks)),
      recorder_(recorder),
      watcher_(std::move(watcher)),
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
  set_budget();
  Sampler sampler(sampler_sources(setup_), slot_, make_plan(setup_.config, abandoned_match_),
                  clocks_, log_changes(logger_, watcher_));
  while (!stop.stop_requested()) {
    watchdog_.begin(std::chrono::steady_clock::now());
    const Sampler::Time due = sampler.step(stop);
    remember();
    if (watcher_.sampled) watcher_.sampled();
    watchdog_.done();
    for (const WorkerEvent& event : sampler.take_worker_events()) log_worker(*logger_, event);
    for (const SharingNews& news : sampler.take_sharing_news()) log_sharing(*logger_, news);
    if (auto change = changes_.wait(due, clocks_)) {
      watchdog_.begin(std::chrono::steady_clock::now());
      if (change->setup) let_stop(*change->setup, stop);
      apply(*std::move(change), sampler);
      set_budget();
    }
  }
  sampler.release();
}

// A smaller one drops the oldest samples with the next one.
void SamplingThread::set_budget() {
  if (recorder_ != nullptr) recorder_->change_budget(recorder_share(setup_.config));
}

// A round may publish twice, but no counterset twice.
void SamplingThread::remember() {
  if (recorder_ == nullptr) return;
  if (const auto sample = slot_.latest()) recorder_->add(*sample);
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
