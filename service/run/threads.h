// The two threads that monitor this machine, each until a stop is requested or its object is
// destroyed: one samples counters, the other reads facts. Thread rule: each is created and used by
// one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "collectors/base/background_thread.h"
#include "collectors/base/changes.h"
#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/facts/fact_keeper.h"
#include "collectors/model/sample.h"
#include "collectors/recorder/recorder.h"
#include "collectors/sampler/sampler.h"
#include "config/config.h"
#include "exporter/textfile/textfile_source.h"
#include "service/log/logging.h"
#include "service/plan/plan.h"
#include "service/plan/setup.h"

namespace winperf {

// The configuration's facts that a profile shows.
std::vector<PlannedFacts> make_fact_plan(const Config& config);

// A changed configuration takes effect between two readings; unchanged topics continue without a
// gap.
class FactsThread {
 public:
  using MakeSource = std::function<std::unique_ptr<FactSource>(const Config&)>;

  // `slot` must outlive this object. `make_source` is called on the new thread, and again when
  // workers or limits change.
  FactsThread(SharedConfig config, FactSlot& slot, Logger logger, ClockSource clocks,
              MakeSource make_source);

  void change(SharedConfig config);
  void request_stop() { thread_.request_stop(); }
  // False if the thread still waits for a source at the deadline.
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const {
    return thread_.ended_by(deadline);
  }
  // "facts about textfile": what is read now. Any thread.
  std::string subject() const;

 private:
  void run();
  void read(const StopToken& stop);
  // Reads what is due; returns when the next topic is.
  SteadyTime step(FactKeeper& keeper, FactSource& source, const StopToken& stop);
  // Logs text files and folders whose problems have begun or ended.
  void log_textfiles();

  SharedConfig config_;  // used by the thread alone
  FactSlot& slot_;
  const Logger logger_;
  const ClockSource clocks_;
  const MakeSource make_source_;
  // Created and used by the thread, but not destroyed: freeing the data of many files takes time,
  // and must not delay the end.
  std::unique_ptr<TextfileSource> files_;
  std::set<std::string> troubles_;                  // of text files, that were logged
  std::atomic<const FactTopicInfo*> now_{nullptr};  // what is read

  Changes<SharedConfig> changes_;
  BackgroundThread thread_;
};

// Detects a thread without progress: the thread marks the begin and end of each task, and others
// ask how long the current one has taken. Thread rule: any thread.
class Watchdog {
 public:
  using Time = std::chrono::steady_clock::time_point;

  void begin(Time now) { busy_since_ = now.time_since_epoch().count(); }
  void done() { busy_since_ = kIdle; }

  // True if the current task began longer ago than `limit`.
  [[nodiscard]] bool is_stuck(Time now, Time::duration limit) const {
    const auto since = busy_since_.load();
    return since != kIdle && now - Time(Time::duration(since)) > limit;
  }

 private:
  static constexpr Time::rep kIdle = 0;
  std::atomic<Time::rep> busy_since_ = kIdle;
};

// What others want to know of sampling. Empty functions: nothing.
struct SamplingWatcher {
  std::function<void()> sampled{};  // after each sample
  // By its name in messages: one that could be read begins to fail.
  std::function<void(const std::string& counterset)> counterset_fails{};
};

// A changed configuration takes effect between two rounds of sampling. If several arrive while a
// provider keeps the thread busy, only the last one does. Unchanged countersets continue without a
// gap.
class SamplingThread {
 public:
  // `slot` and `recorder` must outlive this object. `recorder`: gets each published sample, and its
  // budget, on the sampling thread; null: there is none. `abandoned_match` is called on that
  // thread, and so are `watcher`'s functions.
  SamplingThread(Setup setup, SampleSlot& slot, Logger logger,
                 AbandonedMatchObserver abandoned_match, ClockSource clocks = system_clocks(),
                 recorder::Recorder* recorder = nullptr, SamplingWatcher watcher = {});

  void change(const SharedConfig& config);
  // Also replaces the sources.
  void change(Setup setup);

  void request_stop() { thread_.request_stop(); }
  // Whether one round has taken longer than this, for any reason.
  [[nodiscard]] bool is_stuck(std::chrono::steady_clock::duration limit) const {
    return watchdog_.is_stuck(std::chrono::steady_clock::now(), limit);
  }
  // False if the thread is still inside a provider at the deadline.
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const {
    return thread_.ended_by(deadline);
  }

 private:
  struct Change {
    SharedConfig config;
    std::optional<Setup> setup;  // its configuration is `config`, too
  };

  void run();
  void sample(const StopToken& stop);
  void apply(Change change, Sampler& sampler);
  void set_budget();
  void remember();

  // Used by the sampling thread alone.
  Setup setup_;
  SampleSlot& slot_;
  const Logger logger_;
  const AbandonedMatchObserver abandoned_match_;
  const ClockSource clocks_;
  recorder::Recorder* const recorder_;
  const SamplingWatcher watcher_;

  Changes<Change> changes_;
  Watchdog watchdog_;
  BackgroundThread thread_;
};

}  // namespace winperf
