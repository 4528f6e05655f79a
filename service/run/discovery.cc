#include "service/run/discovery.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "collectors/base/ascii.h"
#include "collectors/base/back_off.h"
#include "collectors/base/printable.h"
#include "collectors/base/system_text.h"
#include "collectors/base/wording.h"
#include "collectors/discovery/discovery.h"
#include "collectors/wire/text.h"
#include "config/patterns.h"
#include "service/plan/plan.h"

namespace winperf {
std::expected<Inventory, std::string> discover(const SetupOptions& options,
                                               const SharedConfig& config,
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
  // Countersets that only another machine of a recording has can be sampled, too.
  for (const auto& other : setup->other_machines)
    if (const auto more = take_inventory(*other, nullptr, scope, clocks, stop))
      add_to(*inventory, *more);
    else
      add_to(*inventory, {.problems = {more.error()}, .gap = more.error()});
  return *std::move(inventory);
}

std::expected<Expanded, std::string> discover_and_expand(const SetupOptions& options,
                                                         const SharedConfig& config,
                                                         const StopToken& stop) {
  if (!has_patterns(config)) return Expanded{.config = config};
  const auto inventory = discover(options, config, system_clocks(), stop);
  if (!inventory) return std::unexpected(inventory.error());
  Expanded found{.config = expanded(config, *inventory),
                 .unmatched = unmatched(config, *inventory),
                 .empty_sets = empty_sets(config, *inventory),
                 .repeated = repeated(config, *inventory)};
  if (inventory->gap) found.gap = gap_message(describe(*inventory->gap));
  return found;
}

std::string gap_message(const std::string& reason) { return "discovery is incomplete: " + reason; }

std::string unmatched_message(const std::string& pattern) {
  return "no counterset on this machine matches \"" + printable(pattern) + '"';
}

bool is_settled(const Inventory& inventory) {
  return inventory.is_whole() || inventory.gap->code == ErrorCode::kUnsupported;
}

DiscoveryThread::DiscoveryThread(Discover discover, std::chrono::milliseconds interval, Until until,
                                 ClockSource clocks, std::function<void()> has_outcome)
    : discover_(std::move(discover)),
      has_outcome_(std::move(has_outcome)),
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
  // With names only, a run finds only absent countersets, which isn't worth frequent runs if a
  // provider never answers.
  BackOff until_settled(interval_, std::max<std::chrono::nanoseconds>(interval_, kLongestPause));
  while (!stop.stop_requested()) {
    const auto began = clocks_.steady_now();
    std::expected<Inventory, std::string> outcome;
    try {
      outcome = discover_(stop);
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
    if (has_outcome_) has_outcome_();
    if (is_last) return;
    clocks_.pause_until(began + (until_ == Until::kSettled ? until_settled.next() : interval_),
                        stop);
    const std::lock_guard lock(mutex_);
    is_pausing_ = false;
  }
}

namespace {

constexpr std::size_t kNamesLogged = 10;

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
  return names.empty() ? "" : std::string("; ") + what + ": " + joined(names, ", ", kNamesLogged);
}

// "OLD_MetadataGlobal and PerfLib in 12 ms".
std::string cost_of(const Inventory& inventory) {
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(inventory.took);
  return joined(inventory.asked, " and ") + " in " + std::to_string(took.count()) + " ms";
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
std::string problem_text(const Error& gap) {
  const std::string reason = describe(gap);
  return gap_message(reason.substr(0, reason.find(": ")));
}

// How to treat the counterset's absence. One that matched a pattern did exist.
Absence absence_of(const CountersetConfig& entry, const DiscoveryReport& known) {
  if (entry.is_optional || is_pattern(entry.names.front())) return Absence::kFailure;
  const bool is_first_to_come = !known.at && known.error.empty();
  if (is_first_to_come) return Absence::kNoFailure;
  const bool is_absent =
      known.at && known.inventory.is_whole() && is_lacking(entry, known.inventory);
  return is_absent ? Absence::kNoFailure : Absence::kFailureIfKnown;
}

std::vector<std::string> absent_in(const Config& config, const Inventory& inventory) {
  std::vector<std::string> absent;
  for (const CountersetConfig& entry : config.countersets)
    if (inventory.is_whole() && is_lacking(entry, inventory)) absent.push_back(entry.label);
  return absent;
}

// Whether a run for one configuration also serves the other.
bool need_the_same_discovery(const Config& a, const Config& b) {
  return a.limits == b.limits && a.workers == b.workers && a.language == b.language &&
         a.path == b.path && a.discovery_interval == b.discovery_interval &&
         wants_costly(a) == wants_costly(b) && has_patterns(a) == has_patterns(b) &&
         fixed_names(a) == fixed_names(b);
}

}  // namespace

BackgroundDiscovery::BackgroundDiscovery(Discover discover, bool is_live, ClockSource clocks,
                                         Logger logger, ExporterRegistry& registry,
                                         std::function<void()> has_update)
    : discover_(std::move(discover)),
      has_update_(std::move(has_update)),
      is_live_(is_live),
      clocks_(std::move(clocks)),
      logger_(std::move(logger)),
      registry_(registry) {}

bool BackgroundDiscovery::is_needed() const {
  return has_patterns(config_) || (is_live_ && !config_->countersets.empty());
}

bool BackgroundDiscovery::is_active() const {
  return thread_ && !thread_->ended_by(std::chrono::steady_clock::now());
}

Config BackgroundDiscovery::concrete(const DiscoveryReport& known) const {
  Config config = config_;
  if (is_live_)
    for (CountersetConfig& entry : config.countersets) entry.absence = absence_of(entry, known);
  return expanded(config, known.inventory);
}

SharedConfig BackgroundDiscovery::change(SharedConfig config) {
  // A run in progress continues; otherwise frequent changes would let none complete.
  const bool continues = is_active() && need_the_same_discovery(config_, config);
  if (!continues) thread_.reset();
  config_ = std::move(config);
  const auto known = report();
  concrete_ = concrete(known.value_or(DiscoveryReport()));
  if (!is_needed()) {
    thread_.reset();
    const std::lock_guard lock(mutex_);
    report_.reset();
    return concrete_;
  }
  if (!known) publish({});
  if (!continues) start();
  return concrete_;
}

void BackgroundDiscovery::start() {
  is_due_ = false;
  thread_ = std::make_unique<DiscoveryThread>(
      [discover = discover_, config = config_](const StopToken& stop) {
        return discover(config, stop);
      },
      config_->discovery_interval,
      has_patterns(config_) ? DiscoveryThread::Until::kStopped : DiscoveryThread::Until::kSettled,
      clocks_, has_update_);
}

void BackgroundDiscovery::note_registrations(std::uint64_t registrations) {
  const auto before = std::exchange(registrations_, registrations);
  // With patterns, the next run is soon enough.
  is_due_ |= before && before != registrations && is_needed() && !has_patterns(config_);
  if (is_due_ && (!is_active() || thread_->is_pausing())) start();
}

std::optional<SharedConfig> BackgroundDiscovery::take_update() {
  auto outcome = thread_ ? thread_->take() : std::nullopt;
  if (!outcome) return std::nullopt;
  registry_.count_discovery(outcome->has_value());
  return *outcome ? note(std::move(**outcome)) : note_failure(outcome->error());
}

std::optional<SharedConfig> BackgroundDiscovery::note_failure(const std::string& error) {
  log_problem("discovery failed: " + error);
  DiscoveryReport next = report().value_or(DiscoveryReport());
  next.error = error;
  SharedConfig sampled = concrete(next);
  publish(std::move(next));
  return change_to(std::move(sampled));
}

// Logs each problem once until it ends or changes.
void BackgroundDiscovery::log_problem(const std::string& problem) {
  if (problem != problem_)
    logger_->write(Event::kDiscoveryFails,
                   has_patterns(config_)
                       ? problem + "; the countersets found before are still sampled"
                       : problem);
  problem_ = problem;
}

std::optional<SharedConfig> BackgroundDiscovery::note(Inventory inventory) {
  const DiscoveryReport known = report().value_or(DiscoveryReport());
  // Countersets of a provider that doesn't answer now stay sampled, so that the failure is visible.
  if (!inventory.is_whole() && has_patterns(config_)) keep_unseen(inventory, known.inventory);
  const bool is_over = inventory.is_whole() && !problem_.empty();
  // Without patterns, missing metadata is no problem.
  if (inventory.gap && (has_patterns(config_) || !is_settled(inventory)))
    log_problem(problem_text(*inventory.gap));
  else
    problem_.clear();
  DiscoveryReport next{.inventory = std::move(inventory), .at = clocks_.wall_now()};
  next.absent = absent_in(config_, next.inventory);
  SharedConfig sampled = concrete(next);
  next.sampled = sampled_in(sampled, next.inventory);
  const bool is_first = !known.at && !next.inventory.asked.empty();
  if (is_over || is_first || labels_of(sampled) != labels_of(concrete_) ||
      next.absent != known.absent)
    log_changes(concrete_, sampled, next, is_first);
  publish(std::move(next));
  return change_to(std::move(sampled));
}

std::optional<SharedConfig> BackgroundDiscovery::change_to(SharedConfig next) {
  if (next == concrete_) return std::nullopt;
  concrete_ = std::move(next);
  return concrete_;
}

void BackgroundDiscovery::log_changes(const Config& before, const Config& after,
                                      const DiscoveryReport& report, bool is_first) {
  const std::set<std::string> old = labels_of(before);
  const std::set<std::string> now = labels_of(after);
  const std::set<std::string> absent(report.absent.begin(), report.absent.end());
  logger_->write(Event::kCountersetsFound,
                 "discovery found " + counted(report.inventory.countersets.size(), "counterset") +
                     " through " + cost_of(report.inventory) + "; " +
                     std::to_string(now.size() - absent.size()) + " to sample" +
                     (is_first ? "" : difference("new", now, old)) +
                     difference("removed", old, now) + difference("absent", absent, {}));
}

void BackgroundDiscovery::publish(DiscoveryReport report) {
  if (report.at) registry_.show_discovery(report);
  const std::lock_guard lock(mutex_);
  report_ = std::move(report);
}

std::optional<DiscoveryReport> BackgroundDiscovery::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

void BackgroundDiscovery::request_stop() {
  if (thread_) thread_->request_stop();
}

bool BackgroundDiscovery::ended_by(std::chrono::steady_clock::time_point deadline) const {
  return !thread_ || thread_->ended_by(deadline);
}

}  // namespace winperf
