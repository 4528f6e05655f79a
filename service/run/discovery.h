// Finds the countersets that a machine has, for a configuration whose patterns stand for some of
// them, or that names some which may not be there. Without patterns nothing is collected for it:
// metadata tells, where the system supports it.
//
// Each look has sources of its own, and thus workers of its own, which end with it: it delays no
// sampling, shares no provider's trouble, and leaves nothing loaded. A provider that Windows has
// given up is opened anew. A look that fails changes nothing, and is repeated like any other.
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
[[nodiscard]] std::expected<Inventory, std::string> look(const SetupOptions& options,
                                                         const SharedConfig& config,
                                                         const ClockSource& clocks,
                                                         const StopToken& stop);

struct Expanded {
  Config config;  // with what the patterns stand for instead of them
  std::vector<std::string> unmatched{};
  std::vector<std::string> empty_sets{};
  std::string gap{};  // why there may be more, as a sentence; empty: there isn't
};

// The configuration itself if it has no patterns; otherwise what they stand for now.
[[nodiscard]] std::expected<Expanded, std::string> look_and_expand(const SetupOptions& options,
                                                                   const SharedConfig& config,
                                                                   const StopToken& stop);
// A look that wasn't whole, as a sentence.
std::string gap_message(const std::string& reason);
// For a person who has named countersets: the pattern for which there is none, as a sentence.
std::string unmatched_message(const std::string& pattern);

// Whether a look without patterns has told all that it can: it was whole, or the system has no
// metadata to tell it.
bool is_settled(const Inventory& inventory);

// Thread rule: created and used by one thread.
class DiscoveryThread {
 public:
  using Look = std::function<std::expected<Inventory, std::string>(const StopToken&)>;
  enum class Until { kStopped, kSettled };

  // The longest wait for another look until one has settled it.
  static constexpr std::chrono::hours kLongestPause{1};

  // Looks at once, and then each time after `interval`. If it is to end with a look that settles
  // it, it waits twice as long after each that doesn't.
  DiscoveryThread(Look look, std::chrono::milliseconds interval, Until until, ClockSource clocks);

  // The outcome of a look since the last call; of several, the last one.
  [[nodiscard]] std::optional<std::expected<Inventory, std::string>> take();

  // Whether it waits for the next look, or has ended.
  [[nodiscard]] bool is_pausing();
  void request_stop() { thread_.request_stop(); }
  // False if the thread is still inside a provider at the deadline.
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const {
    return thread_.ended_by(deadline);
  }

 private:
  void run(const StopToken& stop);

  const Look look_;
  const std::chrono::milliseconds interval_;
  const Until until_;
  const ClockSource clocks_;
  std::mutex mutex_;
  std::optional<std::expected<Inventory, std::string>> outcome_;
  bool is_pausing_ = false;
  StopSource stop_;
  BackgroundThread thread_;
};

// Keeps what the patterns of the configuration stand for: looks in the background, logs what came
// and went, and says what is to be sampled. Without patterns there is one look for each
// configuration and after each change of the registrations; it says which of the countersets that
// are named the machine doesn't have.
// Thread rule: one thread, the server's; any thread may call report().
class PatternKeeper {
 public:
  // Takes an inventory for the patterns of a configuration, on a thread of its own. The error is a
  // sentence.
  using Look =
      std::function<std::expected<Inventory, std::string>(const SharedConfig&, const StopToken&)>;

  // `registry` outlives it. `is_live`: the machine is no recording, in which nothing changes.
  PatternKeeper(Look look, bool is_live, ClockSource clocks, Logger logger,
                ExporterRegistry& registry);

  // From now on this configuration is kept. Returns it with what its patterns stand for, as far as
  // is known.
  SharedConfig change(SharedConfig config);
  // The same after a look that has changed it, since the last call; nothing otherwise.
  [[nodiscard]] std::optional<SharedConfig> take_news();
  // Sample::registrations of each sample.
  void note_registrations(std::uint64_t registrations);
  // Nothing if nobody looks.
  [[nodiscard]] std::optional<DiscoveryReport> report() const;

  void request_stop();
  // False if a look is still inside a provider at the deadline.
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const;

 private:
  bool looks() const;
  void start_looking();
  // Whether a look is under way, or the next one has its time.
  bool is_looking() const;
  // What is to be sampled, as far as that is known.
  Config concrete(const DiscoveryReport& known) const;
  std::optional<SharedConfig> change_to(SharedConfig next);
  void tell_trouble(const std::string& trouble);
  std::optional<SharedConfig> note(Inventory inventory);
  std::optional<SharedConfig> note_failure(const std::string& error);
  void tell_changes(const Config& before, const Config& after, const DiscoveryReport& report,
                    bool is_first);
  void publish(DiscoveryReport report);

  const Look look_;
  const bool is_live_;
  const ClockSource clocks_;
  const Logger logger_;
  ExporterRegistry& registry_;
  SharedConfig config_;
  SharedConfig concrete_;
  std::unique_ptr<DiscoveryThread> thread_;  // null if nobody looks
  std::optional<std::uint64_t> registrations_;
  bool is_due_ = false;  // another look, after the one that is under way
  std::string trouble_;  // of the last look; empty if all was well

  mutable std::mutex mutex_;  // for what follows
  std::optional<DiscoveryReport> report_;
};

}  // namespace winperf
