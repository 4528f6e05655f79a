#include "service/run/pattern_keeper.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"
#include "config/patterns.h"
#include "service/console/text_columns.h"

namespace winperf {
namespace {

constexpr std::size_t kNamesTold = 10;

std::set<std::string> labels_of(const Config& config) {
  std::set<std::string> labels;
  for (const CountersetConfig& entry : config.countersets) labels.insert(entry.label);
  return labels;
}

// "; new: A, B", or nothing.
std::string difference(const char* what, const std::set<std::string>& all,
                       const std::set<std::string>& known) {
  std::vector<std::string> names;
  std::ranges::set_difference(all, known, std::back_inserter(names));
  return names.empty() ? "" : std::string("; ") + what + ": " + joined(names, ", ", kNamesTold);
}

// "OLD_MetadataGlobal and PerfLib, in 12 ms".
std::string cost_of(const Inventory& inventory) {
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(inventory.took);
  return joined(inventory.asked, " and ") + ", in " + std::to_string(took.count()) + " ms";
}

// What a provider had that doesn't answer now is still sampled, so that its failure is seen.
void keep_what_may_be_there(Inventory& now, const Inventory& before) {
  std::set<std::string> keys;
  for (const KnownCounterset& known : now.countersets) keys.insert(known.key);
  for (const KnownCounterset& known : before.countersets)
    if (!keys.contains(known.key)) now.countersets.push_back(known);
  sort_by_name(now);
}

std::set<std::string> sampled_in(const Config& config, const Inventory& inventory) {
  std::set<std::string> names;
  for (const CountersetConfig& entry : config.countersets)
    for (const std::string& name : entry.names) names.insert(ascii_lower(name));
  std::set<std::string> keys;
  for (const KnownCounterset& known : inventory.countersets)
    if (names.contains(ascii_lower(known.name)) || names.contains(ascii_lower(known.key)))
      keys.insert(known.key);
  return keys;
}

}  // namespace

PatternKeeper::PatternKeeper(Look look, ClockSource clocks, Logger logger,
                             ExporterRegistry& registry)
    : look_(std::move(look)),
      clocks_(std::move(clocks)),
      logger_(std::move(logger)),
      registry_(registry) {}

Config PatternKeeper::change(Config config) {
  thread_.reset();
  config_ = std::move(config);
  const auto known = report();
  concrete_ = expanded(config_, known ? known->inventory : Inventory());
  is_known_ = known && known->at;
  if (has_patterns(config_)) {
    if (!known) publish({});
    start_looking();
  } else {
    const std::lock_guard lock(mutex_);
    report_.reset();
  }
  return concrete_;
}

void PatternKeeper::start_looking() {
  thread_ = std::make_unique<DiscoveryThread>(
      [look = look_, config = config_](const StopToken& stop) { return look(config, stop); },
      config_.discovery_interval, clocks_);
}

std::optional<Config> PatternKeeper::take_news() {
  auto outcome = thread_ ? thread_->take() : std::nullopt;
  if (!outcome) return std::nullopt;
  registry_.count_discovery(outcome->has_value());
  if (*outcome) return note(std::move(**outcome));
  note_failure(outcome->error());
  return std::nullopt;
}

void PatternKeeper::note_failure(const std::string& reason) {
  DiscoveryReport next = report().value_or(DiscoveryReport());
  if (next.error != reason) logger_->write(Event::kDiscoveryFails, reason);
  next.error = reason;
  publish(std::move(next));
}

std::optional<Config> PatternKeeper::note(Inventory inventory) {
  if (const auto known = report(); known && !inventory.is_whole)
    keep_what_may_be_there(inventory, known->inventory);
  Config next = expanded(config_, inventory);
  const bool has_failed = !report().value_or(DiscoveryReport()).error.empty();
  const bool is_news = next != concrete_ || !is_known_;
  if (is_news || has_failed) tell_changes(concrete_, next, inventory);
  publish(
      {.inventory = inventory, .at = clocks_.wall_now(), .sampled = sampled_in(next, inventory)});
  is_known_ = true;
  if (next == concrete_) return std::nullopt;
  concrete_ = std::move(next);
  return concrete_;
}

void PatternKeeper::tell_changes(const Config& before, const Config& after,
                                 const Inventory& inventory) {
  const std::set<std::string> old = labels_of(before);
  const std::set<std::string> now = labels_of(after);
  logger_->write(Event::kCountersetsFound, counted(now.size(), "counterset") + " to sample, of " +
                                               std::to_string(inventory.countersets.size()) +
                                               " found by " + cost_of(inventory) +
                                               (is_known_ ? difference("new", now, old) : "") +
                                               difference("gone", old, now));
}

void PatternKeeper::publish(DiscoveryReport report) {
  if (report.at) registry_.show_discovery(report);
  const std::lock_guard lock(mutex_);
  report_ = std::move(report);
}

std::optional<DiscoveryReport> PatternKeeper::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

void PatternKeeper::request_stop() {
  if (thread_) thread_->request_stop();
}

bool PatternKeeper::ended_by(std::chrono::steady_clock::time_point deadline) const {
  return !thread_ || thread_->ended_by(deadline);
}

}  // namespace winperf
