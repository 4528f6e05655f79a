// Discovers a machine's countersets, for a configuration with patterns or with names that may not
// exist. Without patterns, no values are collected: metadata is enough, where the system supports
// it.
//
// Each discovery run has separate sources, and thus separate workers, which end with it: it doesn't
// delay sampling, isn't affected by failing providers elsewhere, and leaves nothing loaded.
// Providers that Windows has stopped calling are opened again. A run that fails changes nothing and
// is repeated like any other.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "collectors/base/background_thread.h"
#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/model/inventory.h"
#include "config/config.h"
#include "exporter/text/exporter_registry.h"
#include "service/log/logging.h"
#include "service/plan/setup.h"

namespace winperf {

// Takes an inventory for a configuration. The error is a sentence.
[[nodiscard]] std::expected<Inventory, std::string> discover(const SetupOptions& options,
                                                             const SharedConfig& config,
                                                             const ClockSource& clocks,
                                                             const StopToken& stop);

struct Expanded {
  Config config;  // with the matching countersets instead of patterns
  std::vector<std::string> unmatched{};
  std::vector<std::string> empty_sets{};
  std::vector<std::string> repeated{};
  std::string gap{};  // why it may be incomplete, as a sentence; empty if it is complete
};

// The configuration with its patterns expanded to the countersets that match now.
[[nodiscard]] std::expected<Expanded, std::string> discover_and_expand(const SetupOptions& options,
                                                                       const SharedConfig& config,
                                                                       const StopToken& stop);
// An incomplete discovery run, as a sentence.
std::string gap_message(const std::string& reason);
// A pattern from the command line that matches no counterset, as a sentence.
std::string unmatched_message(const std::string& pattern);

// Whether another run without patterns would find no more: this one was complete, or the system has
// no metadata.
bool is_settled(const Inventory& inventory);

// Thread rule: created and used by one thread.
class DiscoveryThread {
 public:
  using Discover = std::function<std::expected<Inventory, std::string>(const StopToken&)>;
  enum class Until { kStopped, kSettled };

  // The longest pause between runs in kSettled mode.
  static constexpr std::chrono::hours kLongestPause{1};

  // Runs immediately, then every `interval`. With kSettled, it ends after a settled run, and each
  // pause is twice as long as the one before. `has_outcome` is called on the new thread after each.
  DiscoveryThread(Discover discover, std::chrono::milliseconds interval, Until until,
                  ClockSource clocks, std::function<void()> has_outcome = {});

  // The outcome of the last run since the previous call.
  [[nodiscard]] std::optional<std::expected<Inventory, std::string>> take();

  // Whether it waits for the next run, or has ended.
  [[nodiscard]] bool is_pausing();
  void request_stop() { thread_.request_stop(); }
  // False if the thread is still inside a provider at the deadline.
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const {
    return thread_.ended_by(deadline);
  }

 private:
  void run(const StopToken& stop);

  const Discover discover_;
  const std::function<void()> has_outcome_;
  const std::chrono::milliseconds interval_;
  const Until until_;
  const ClockSource clocks_;
  std::mutex mutex_;
  std::optional<std::expected<Inventory, std::string>> outcome_;
  bool is_pausing_ = false;
  StopSource stop_;
  BackgroundThread thread_;
};

// Discovers countersets in the background: expands the configuration's patterns and logs which
// countersets were added or removed. Without patterns there is one run for each configuration and
// after each change of the registrations, which finds the named countersets that are absent. Thread
// rule: one thread, the server's; any thread may call report().
class BackgroundDiscovery {
 public:
  // Takes an inventory for a configuration, on a separate thread. The error is a sentence.
  using Discover =
      std::function<std::expected<Inventory, std::string>(const SharedConfig&, const StopToken&)>;

  // `registry` outlives it. `is_live`: false for a recording, in which nothing changes.
  // `has_update`: called by another thread when take_update() is worth a call.
  BackgroundDiscovery(Discover discover, bool is_live, ClockSource clocks, Logger logger,
                      ExporterRegistry& registry, std::function<void()> has_update = {});

  // Replaces the configuration. Returns it with its patterns expanded, as far as is known.
  SharedConfig change(SharedConfig config);
  // The same if a run since the last call has changed it; nothing otherwise.
  [[nodiscard]] std::optional<SharedConfig> take_update();
  // Sample::registrations of each sample.
  void note_registrations(std::uint64_t registrations);
  // Nothing if discovery is off.
  [[nodiscard]] std::optional<DiscoveryReport> report() const;

  void request_stop();
  // False if a run is still inside a provider at the deadline.
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const;

 private:
  bool is_needed() const;
  void start();
  // Whether a run is in progress or scheduled.
  bool is_active() const;
  // The configuration to sample, as far as it is known.
  Config concrete(const DiscoveryReport& known) const;
  std::optional<SharedConfig> change_to(SharedConfig next);
  void log_problem(const std::string& problem);
  std::optional<SharedConfig> note(Inventory inventory);
  std::optional<SharedConfig> note_failure(const std::string& error);
  void log_changes(const Config& before, const Config& after, const DiscoveryReport& report,
                   bool is_first);
  void publish(DiscoveryReport report);

  const Discover discover_;
  const std::function<void()> has_update_;
  const bool is_live_;
  const ClockSource clocks_;
  const Logger logger_;
  ExporterRegistry& registry_;
  SharedConfig config_;
  SharedConfig concrete_;
  std::unique_ptr<DiscoveryThread> thread_;  // null if discovery is off
  std::optional<std::uint64_t> registrations_;
  bool is_due_ = false;  // another run is due after the current one
  std::string problem_;  // of the last run; empty if it had none

  mutable std::mutex mutex_;  // for the report
  std::optional<DiscoveryReport> report_;
};

}  // namespace winperf
