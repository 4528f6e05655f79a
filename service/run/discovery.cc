#include "service/run/discovery.h"

#include <algorithm>
#include <utility>

#include "collectors/base/back_off.h"
#include "collectors/base/printable.h"
#include "collectors/base/system_text.h"
#include "collectors/discovery/discovery.h"
#include "collectors/wire/text.h"
#include "config/patterns.h"
#include "service/plan/plan.h"

namespace winperf {

std::expected<Inventory, std::string> look(const SetupOptions& options, const SharedConfig& config,
                                           const ClockSource& clocks, const StopToken& stop) {
  SetupOptions apart = options;
  apart.is_patient = true;
  // In one process, its end would close the key that sampling has open.
  apart.always_isolated = true;
  auto setup = open_sources(apart, config);
  if (!setup) return std::unexpected(std::move(setup).error());
  const bool has_perflib = config->path != CounterPath::kRegistry;
  const DiscoveryScope scope{.costly = wants_costly(config),
                             .metadata_alone = !has_patterns(config),
                             .names = name_language(config),
                             .wanted = fixed_names(config)};
  auto inventory = take_inventory(*setup->source, has_perflib ? setup->perflib.get() : nullptr,
                                  scope, clocks, stop);
  if (!inventory) return std::unexpected(describe(inventory.error()));
  // What only another machine of a recording has can be sampled, too.
  for (const auto& other : setup->other_machines)
    if (const auto more = take_inventory(*other, nullptr, scope, clocks, stop))
      add_to(*inventory, *more);
    else
      add_to(*inventory, {.problems = {more.error()}, .gap = more.error()});
  return *std::move(inventory);
}

std::expected<Expanded, std::string> look_and_expand(const SetupOptions& options,
                                                     const SharedConfig& config,
                                                     const StopToken& stop) {
  if (!has_patterns(config)) return Expanded{.config = config};
  const auto inventory = look(options, config, system_clocks(), stop);
  if (!inventory) return std::unexpected(inventory.error());
  Expanded found{.config = expanded(config, *inventory),
                 .unmatched = unmatched(config, *inventory),
                 .empty_sets = empty_sets(config, *inventory)};
  if (inventory->gap) found.gap = gap_message(describe(*inventory->gap));
  return found;
}

std::string gap_message(const std::string& reason) {
  return "a look for countersets has not found all that there may be: " + reason;
}

std::string unmatched_message(const std::string& pattern) {
  return "this machine has no counterset that matches \"" + printable(pattern) + '"';
}

bool is_settled(const Inventory& inventory) {
  return inventory.is_whole() || inventory.gap->code == ErrorCode::kUnsupported;
}

DiscoveryThread::DiscoveryThread(Look look, std::chrono::milliseconds interval, Until until,
                                 ClockSource clocks)
    : look_(std::move(look)),
      interval_(interval),
      until_(until),
      clocks_(std::move(clocks)),
      thread_([this] { run(stop_.token()); }, [this] { stop_.request_stop(); }) {}

std::optional<std::expected<Inventory, std::string>> DiscoveryThread::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(outcome_, std::nullopt);
}

bool DiscoveryThread::is_pausing() {
  const std::lock_guard lock(mutex_);
  return is_pausing_;
}

void DiscoveryThread::run(const StopToken& stop) {
  // Names alone ask only what is absent, which isn't worth a look each time for a provider that
  // never answers.
  BackOff until_settled(interval_, std::max<std::chrono::nanoseconds>(interval_, kLongestPause));
  while (!stop.stop_requested()) {
    const auto began = clocks_.steady_now();
    std::expected<Inventory, std::string> outcome;
    try {
      outcome = look_(stop);
    } catch (const std::exception& error) {
      outcome = std::unexpected(exception_text(error));
    }
    if (stop.stop_requested()) return;
    const bool is_last = until_ == Until::kSettled && outcome && is_settled(*outcome);
    {
      const std::lock_guard lock(mutex_);
      outcome_ = std::move(outcome);
      is_pausing_ = true;
    }
    if (is_last) return;
    clocks_.pause_until(began + (until_ == Until::kSettled ? until_settled.next() : interval_),
                        stop);
    const std::lock_guard lock(mutex_);
    is_pausing_ = false;
  }
}

}  // namespace winperf
