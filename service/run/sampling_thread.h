// Samples on a thread of its own until it is told to stop, or destruction.
//
// A changed configuration takes effect between two rounds of sampling; of several that come while a
// provider keeps the thread busy, the last one. Countersets that stay as they are go on without a
// gap. Thread rule: made and used by one thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "collectors/model/sample_slot.h"
#include "collectors/sampler/sampler.h"
#include "service/log/logging.h"
#include "service/run/plan.h"
#include "service/run/setup.h"

namespace winperf {

class SamplingThread {
 public:
  // `slot` outlives the thread. `abandoned_match` is called by it.
  SamplingThread(Setup setup, SampleSlot& slot, Logger logger,
                 AbandonedMatchObserver abandoned_match);

  void change(const Config& config);
  // Other sources, too.
  void change(Setup setup);

  ~SamplingThread();

  void request_stop();
  // False if the thread is still inside a provider then.
  bool ended_by(std::chrono::steady_clock::time_point deadline) const;

 private:
  struct Change {
    Config config;
    std::optional<Setup> setup;  // with the same configuration
  };

  void sample(std::stop_token stop);
  // Waits until `due`, for a change or for the end: request_stop() sets the token's state with the
  // mutex held, and wakes.
  std::optional<Change> wait(Sampler::Time due, const std::stop_token& stop);
  void apply(Change change, Sampler& sampler);

  // Of the thread alone.
  Setup setup_;
  SampleSlot& slot_;
  const Logger logger_;
  const AbandonedMatchObserver abandoned_match_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Change> change_;

  // The promise tells when the thread has ended, since joining a thread that hangs in a provider
  // would never return.
  std::promise<void> promise_;
  std::future<void> ended_;
  std::jthread thread_;
};

}  // namespace winperf
