// Other machines for the lanes of a test: each answers, fails or hangs, as the test says, and notes
// when it was asked. Workers are acted out, too: nothing is started. Thread rule: any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "config/config.h"
#include "service/targets/lane.h"
#include "tests/collectors/worker/fake_worker_process.h"
#include "tests/service/targets/manual_clock.h"
#include "tests/simulator/machine.h"

namespace winperf::testing {

class FakeNetwork {
 public:
  enum class Conduct { kAnswers, kFails, kHangs };
  static constexpr std::chrono::seconds kHanging{10};  // how long a call that hangs takes

  TargetTools tools();
  ManualClock& clock() { return clock_; }

  void set(const std::string& host, Conduct conduct);
  // When each query was made, in whole seconds since the test began.
  std::vector<long> asked(const std::string& host) const;
  // The workers that have asked it, by their numbers, without repetition.
  std::vector<std::string> workers_of(const std::string& host) const;
  std::size_t workers() const;
  std::vector<std::string> released() const;
  void forget();
  // Nothing is answered until what it returns is gone.
  [[nodiscard]] std::shared_ptr<void> hold();
  // What was logged since the test began.
  std::string log() const { return log_.str(); }

 private:
  friend class NetworkSource;

  struct Worker {
    std::string number;
    worker::FakeMachine machine;
  };
  Conduct ask(const std::string& host, const worker::Worker& worker);

  mutable std::mutex mutex_;
  bool is_held_ = false;
  std::condition_variable released_again_;
  ManualClock clock_;
  const SteadyTime began_ = clock_.now();
  std::map<std::string, Conduct> conducts_;
  std::map<std::string, std::vector<long>> asked_;
  std::map<std::string, std::vector<std::string>> workers_of_;
  std::vector<std::string> released_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::ostringstream log_;
};

// A configuration with these targets, in JSON, whose countersets are the System object.
Config config_with_targets(const std::string& targets, const std::string& more = "");

}  // namespace winperf::testing
