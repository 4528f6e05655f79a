// Owns the parts of `run`: the threads that sample counters, read facts and sample targets, the
// slots, the recorder, the metrics page and the listeners. Also replaces the configuration.
//
// Thread rule: created and used by one thread; the router may call back on any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <string>

#include "collectors/base/changes.h"
#include "collectors/base/clock.h"
#include "collectors/model/sample.h"
#include "collectors/recorder/recorder.h"
#include "exporter/http/router.h"
#include "exporter/http/sample_news.h"
#include "service/log/logging.h"
#include "service/plan/setup.h"
#include "service/run/captures.h"
#include "service/run/discovery.h"
#include "service/run/listeners.h"
#include "service/run/overrides.h"
#include "service/run/own_counters.h"
#include "service/run/process_owners.h"
#include "service/run/threads.h"
#include "service/targets/target_pool.h"

namespace winperf {

BuildInfo build_info();
// How `run` samples targets.
TargetTools target_tools(const worker::WorkerOptions& origin, const ClockSource& clocks,
                         const Logger& logger, std::shared_ptr<SampleNews> news = {});

struct RunOptions {
  SetupOptions setup;
  Overrides overrides{};
  ClockSource clocks = system_clocks();
  // Called before anything else is sampled: what the recorder has then. Empty: nothing.
  std::function<void(const SharedConfig&, recorder::Recorder&)> past{};
  OwnPlatform own_counters{};  // by default there is no road
};

// "10.0.0.5 scrapes every 5s, but Memory is sampled every 15s: ...", for the log.
std::string describe(const EarlyScraper& scraper);

class Server {
 public:
  // `setup` was opened with `options`, and has the effective configuration, with the command line's
  // overrides. `reload` answers POST /-/reload if the configuration allows it. `has_news` is called
  // by another thread when it has something for maintain().
  Server(Setup setup, const RunOptions& options, LogPlace log_place, Logger logger,
         std::function<PlainAnswer()> reload, std::function<void()> has_news = {});

  // Listens, then samples. The error is a sentence. `pause`: as Listeners::open_first() says.
  [[nodiscard]] std::expected<void, std::string> start(
      const std::function<bool(const std::string& address)>& pause = [](const auto&) {
        return false;
      });

  // Applies a configuration as a whole, or not at all; the error says why.
  [[nodiscard]] std::expected<void, std::string> apply(SharedConfig next);
  // Those of the configuration in use, for the API.
  void show_settings(Settings settings);
  // Call it regularly: the listeners need it, and the patterns of the configuration.
  void maintain();
  // Whether the next maintain() can wait for some seconds.
  bool is_settled() const { return listeners_.is_settled(); }

  // False if the sampling thread has ended by itself: nothing will be sampled any more.
  [[nodiscard]] bool is_sampling() const;

  // Whether sampling has made no progress for so long that it counts as stuck.
  [[nodiscard]] bool is_stuck() const;

  // What has not ended by the deadline, because it waits for third-party code: "the sampling of
  // counters, the reading of facts about textfile". Empty if everything has ended.
  [[nodiscard]] std::string stop(std::chrono::steady_clock::time_point deadline);
  // After a stop: whether a password is still being compared, for which the destructor waits.
  bool still_compares() const { return listeners_.still_compares(); }

  const Config& config() const { return config_; }
  const Overrides& overrides() const { return options_.overrides; }
  std::string urls() const { return listeners_.urls(); }
  ExporterRegistry& registry() { return registry_; }
  const ClockSource& clocks() const { return options_.clocks; }

 private:
  PlainAnswer answer_reload_request();
  void tell_notices();
  void tell_of_certificates();
  RouterOptions router_options();
  [[nodiscard]] std::expected<RecordingFile, api::Problem> recording_of(
      const MachineView& machine, const api::RecordingQuery& query);
  [[nodiscard]] std::expected<RecordingFile, RecordingProblem> own_recording(
      const api::RecordingQuery& query, const StopToken& stop);
  std::optional<ExporterRegistry::Recorded> recorded() const;
  OwnFacts own_facts() const;
  void note_sample();
  void show_config();
  void change_captures(const Config& config);
  void change_own_counters(const Config& config);
  MappingOptions page_mapping(const Config& config) const;
  std::function<std::expected<std::string, api::Problem>()> diagnosis();

  const RunOptions options_;
  const LogPlace log_place_;
  const Logger logger_;
  const std::function<PlainAnswer()> reload_;
  std::atomic<bool> reload_allowed_;
  std::atomic<bool> keeps_owners_;

  SharedConfig config_;
  Setup setup_;           // until start()
  const bool has_facts_;  // a recording has none
  const Ticks100ns started_;
  SampleSlot slot_;
  Latest<Settings> settings_;
  recorder::Recorder recorder_{0};     // the sampling thread gives it a budget
  StopSource recording_stop_;          // of captures of it that are being made
  StopSource diagnosis_stop_;          // of a diagnosis that is being made
  Latest<SharedConfig> known_config_;  // that of config_, for any thread
  FactSlot facts_;
  OwnerNotes owners_{facts_, recorder_};
  ExporterRegistry registry_;
  const std::shared_ptr<SampleNews> news_ = std::make_shared<SampleNews>();
  Captures captures_;
  BackgroundDiscovery discovery_;
  TargetPool targets_;
  Router router_;
  Listeners listeners_;
  CertificateWatch certificates_;
  std::atomic<std::size_t> recorder_budget_ = 0;
  OwnCounters own_counters_;
  std::unique_ptr<SamplingThread> sampling_;
  std::unique_ptr<FactsThread> reading_;  // null without facts
};

}  // namespace winperf
