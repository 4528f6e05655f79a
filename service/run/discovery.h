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

}  // namespace winperf
