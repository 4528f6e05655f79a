// Keeps what the patterns of the configuration stand for: looks in the background, logs what came
// and went, and says what is to be sampled. Without patterns it does nothing.
#pragma once

#include <chrono>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "collectors/base/stop.h"
#include "collectors/model/inventory.h"
#include "collectors/sources/clock_source.h"
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
      std::function<std::expected<Inventory, std::string>(const Config&, const StopToken&)>;

  // `registry` outlives it.
  PatternKeeper(Look look, ClockSource clocks, Logger logger, ExporterRegistry& registry);

  // From now on this configuration is kept. Returns it with what its patterns stand for, as far as
  // is known.
  Config change(Config config);
  // The same after a look that has changed it, since the last call; nothing otherwise.
  [[nodiscard]] std::optional<Config> take_news();
  // Nothing without patterns.
  [[nodiscard]] std::optional<DiscoveryReport> report() const;

  void request_stop();
  // False if a look is still inside a provider at the deadline.
  [[nodiscard]] bool ended_by(std::chrono::steady_clock::time_point deadline) const;

 private:
  void start_looking();
  void tell_trouble(const std::string& trouble);
  std::optional<Config> note(Inventory inventory);
  void tell_changes(const Config& before, const Config& after, const Inventory& inventory,
                    bool is_first);
  void publish(DiscoveryReport report);

  const Look look_;
  const ClockSource clocks_;
  const Logger logger_;
  ExporterRegistry& registry_;
  Config config_;
  Config concrete_;
  std::unique_ptr<DiscoveryThread> thread_;  // null without patterns
  std::string trouble_;                      // of the last look; empty if all was well

  mutable std::mutex mutex_;  // for what follows
  std::optional<DiscoveryReport> report_;
};

}  // namespace winperf
