// Keeps what the patterns of the configuration stand for: looks in the background, logs what came
// and went, and says what is to be sampled. Without patterns there is one look for each
// configuration and after each change of the registrations; it says which of the countersets that
// are named the machine doesn't have.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "collectors/base/clock.h"
#include "collectors/base/stop.h"
#include "collectors/model/inventory.h"
#include "config/config.h"
#include "exporter/text/exporter_registry.h"
#include "service/log/logging.h"
#include "service/run/discovery.h"

namespace winperf {

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
