#include "service/run/pattern_keeper.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/discovery/discovery.h"
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

// Without numbers that differ each time: "took too long: 10003 against 10000".
std::string trouble_of(const Error& gap) {
  const std::string reason = describe(gap);
  return gap_message(reason.substr(0, reason.find(": ")));
}

// Whether a look for the patterns of one finds what the other's needs.
bool looks_the_same(const Config& a, const Config& b) {
  return a.limits == b.limits && a.workers == b.workers && a.language == b.language &&
         a.path == b.path && a.discovery_interval == b.discovery_interval &&
         wants_costly(a) == wants_costly(b);
}

}  // namespace

PatternKeeper::PatternKeeper(Look look, ClockSource clocks, Logger logger,
                             ExporterRegistry& registry)
    : look_(std::move(look)),
      clocks_(std::move(clocks)),
      logger_(std::move(logger)),
      registry_(registry) {}

Config PatternKeeper::change(Config config) {
  // A look that is under way goes on; otherwise frequent changes would leave no time for any.
  const bool goes_on = thread_ && has_patterns(config) && looks_the_same(config_, config);
  if (!goes_on) thread_.reset();
  config_ = std::move(config);
  const auto known = report();
  concrete_ = expanded(config_, known ? known->inventory : Inventory());
  if (!has_patterns(config_)) {
    const std::lock_guard lock(mutex_);
    report_.reset();
    return concrete_;
  }
  if (!known) publish({});
  if (!goes_on) start_looking();
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
  tell_trouble("countersets can't be looked for: " + outcome->error());
  DiscoveryReport next = report().value_or(DiscoveryReport());
  next.error = outcome->error();
  publish(std::move(next));
  return std::nullopt;
}

// Once, until it is over or another one.
void PatternKeeper::tell_trouble(const std::string& trouble) {
  if (trouble != trouble_)
    logger_->write(Event::kDiscoveryFails, trouble + "; what was found before is sampled");
  trouble_ = trouble;
}

std::optional<Config> PatternKeeper::note(Inventory inventory) {
  const DiscoveryReport known = report().value_or(DiscoveryReport());
  // What a provider had that doesn't answer now is still sampled, so that its failure is seen.
  if (!inventory.is_whole()) keep_unseen(inventory, known.inventory);
  Config next = expanded(config_, inventory);
  const bool is_over = inventory.is_whole() && !trouble_.empty();
  if (inventory.is_whole())
    trouble_.clear();
  else
    tell_trouble(trouble_of(*inventory.gap));
  if (is_over || !known.at || labels_of(next) != labels_of(concrete_))
    tell_changes(concrete_, next, inventory, !known.at);
  publish(
      {.inventory = inventory, .at = clocks_.wall_now(), .sampled = sampled_in(next, inventory)});
  if (next == concrete_) return std::nullopt;
  concrete_ = std::move(next);
  return concrete_;
}

void PatternKeeper::tell_changes(const Config& before, const Config& after,
                                 const Inventory& inventory, bool is_first) {
  const std::set<std::string> old = labels_of(before);
  const std::set<std::string> now = labels_of(after);
  logger_->write(Event::kCountersetsFound,
                 counted(inventory.countersets.size(), "counterset") + " found by " +
                     cost_of(inventory) + "; " + std::to_string(now.size()) + " to sample" +
                     (is_first ? "" : difference("new", now, old)) + difference("gone", old, now));
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
