#include "service/commands/resolved_plan.h"

#include <algorithm>
#include <deque>
#include <expected>
#include <functional>
#include <map>
#include <ranges>
#include <string_view>
#include <utility>

#include "collectors/sources/source.h"
#include "exporter/mapping/instance_labels.h"
#include "exporter/mapping/object_mapping.h"
#include "exporter/text/sample_writer.h"
#include "service/plan/plan.h"

namespace winperf {
namespace {

// A source that performs each query once per round and repeats the reply to the same query. Several
// readers thus see the same data, and none of them moves a recording on. In a recording, whose
// replies always hold everything, a round is a sample.
// Thread rule: one thread at a time.
class HeldReplies final : public CounterSource {
 public:
  // `inner` must outlive this object. Call begin_round() before the first round, too.
  HeldReplies(CounterSource& inner, bool is_recording)
      : inner_(inner), is_recording_(is_recording) {}

  // Forgets all replies. False at the end of a recording, or after a stop.
  bool begin_round(const StopToken& stop) {
    replies_.clear();
    if (!is_recording_) return true;
    const auto reply = query(kEverything, stop);
    return reply || (reply.error().code != ErrorCode::kEndOfCapture &&
                     reply.error().code != ErrorCode::kCancelled);
  }

  std::string machine() const override { return inner_.machine(); }
  std::expected<Reply, Error> query(std::string_view value_name, StopToken stop) override {
    const std::string_view asked = is_recording_ ? kEverything : value_name;
    auto known = replies_.find(asked);
    if (known == replies_.end())
      known = replies_.emplace(asked, inner_.query(asked, std::move(stop))).first;
    return known->second;
  }
  std::vector<std::expected<Bytes, Error>> text_tables(TextTable table,
                                                       Language language) override {
    return inner_.text_tables(table, language);
  }
  bool supports_metadata() override { return inner_.supports_metadata(); }
  std::uint64_t provider_generation() override { return inner_.provider_generation(); }
  void release() override { inner_.release(); }
  void set_stop(StopToken stop) override { inner_.set_stop(std::move(stop)); }
  SourceHealth* health() override { return inner_.health(); }

 private:
  static constexpr std::string_view kEverything = "Global";

  CounterSource& inner_;
  bool is_recording_;
  std::map<std::string, std::expected<Reply, Error>, std::less<>> replies_;
};

constexpr std::chrono::seconds kRoundInterval{1};

// The configured plan, followed by the same countersets without their filters.
std::vector<PlannedCounterset> plan_with_and_without_filters(const Config& config) {
  std::vector<PlannedCounterset> plan = make_plan(config);
  const std::size_t configured = plan.size();
  for (std::size_t i = 0; i < configured; ++i) {
    PlannedCounterset everything = plan[i];
    everything.selection = {};
    plan.push_back(std::move(everything));
  }
  for (PlannedCounterset& planned : plan) planned.interval = kRoundInterval;
  return plan;
}

// The state of each counterset in the plan: in the first sample that contains it, or in the second
// one if that many are needed.
class Seen {
 public:
  explicit Seen(std::size_t samples) : samples_(samples) {}

  void add(const std::vector<CountersetState>& states) {
    states_.resize(states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      auto& [state, successes] = states_[i];
      if (successes == samples_ || (successes != 0 && !states[i].success)) continue;
      state = states[i];
      successes += states[i].success;
    }
  }

  // Whether further samples can't show more.
  bool complete() const {
    return std::ranges::all_of(states_, [&](const Counterset& seen) {
      const bool unknown =
          seen.state.error && (seen.state.error->code == ErrorCode::kNoSuchName ||
                               seen.state.error->code == ErrorCode::kNotRegistered);
      return unknown || seen.successes == samples_;
    });
  }

  std::vector<CountersetState> states() && {
    std::vector<CountersetState> states;
    for (Counterset& seen : states_) states.push_back(std::move(seen.state));
    return states;
  }

 private:
  struct Counterset {
    CountersetState state;
    std::size_t successes = 0;
  };

  std::size_t samples_;
  std::vector<Counterset> states_;
};

// Samples a recording until everything was seen, and a machine only as often as necessary, because
// another sample would not deliver more.
std::vector<CountersetState> sample_everything(const SamplerSources& sources, const Config& config,
                                               bool is_recording, const StopToken& stop) {
  // Patterns and sets may match nothing; then no second sample is needed.
  if (config.countersets.empty()) return {};
  // Each of them answers with the replies that it holds for the round.
  std::deque<HeldReplies> held;
  held.emplace_back(sources.registry, is_recording);
  for (CounterSource* const other : sources.other_machines) held.emplace_back(*other, is_recording);
  SamplerSources held_sources{.registry = held.front(),
                              .other_machines = {},
                              .perflib = sources.perflib,
                              .names = sources.names};
  for (HeldReplies& other : held | std::views::drop(1))
    held_sources.other_machines.push_back(&other);
  const auto begin = [&](HeldReplies& source) { return source.begin_round(stop); };
  // A recording already has its samples, so there is nothing to wait for.
  ClockSource clocks = system_clocks();
  Sampler::Time now = clocks.steady_now();
  if (is_recording) clocks.steady_now = [&now] { return now; };
  SampleSlot slot;
  Sampler sampler(held_sources, slot, plan_with_and_without_filters(config), clocks, {});
  const std::size_t samples = config.metrics.values == MetricValues::kRaw ? 1 : 2;
  Seen seen(samples);
  // Until no source has a round left.
  for (std::size_t round = 1; std::ranges::count_if(held, begin) != 0 || round == 1; ++round) {
    const Sampler::Time next = is_recording ? sampler.step(stop) : sampler.step_to(round, stop);
    seen.add(slot.latest()->countersets);
    if (is_recording ? seen.complete() : round == samples) break;
    now = next;
    if (!is_recording) pause_until(next, stop);
    if (stop.stop_requested()) break;
  }
  sampler.release();
  return std::move(seen).states();
}

void add(Exposure& exposure, bool is_shown, std::string name) {
  (is_shown ? exposure.shown : exposure.hidden).push_back(std::move(name));
}

// Counters that are not numbers, such as texts, are hidden.
Exposure exposed_counters(const CountersetSample& sample, const MappingOptions& options) {
  std::vector<bool> is_shown(sample.columns());
  const ObjectMapping mapping = map_object(*sample.schema, options);
  for (const FamilyMapping& family : mapping.families) is_shown.at(family.value.column) = true;
  Exposure exposure;
  for (std::size_t i = 0; i < sample.columns(); ++i)
    add(exposure, is_shown[i], sample.schema->counters[i].name);
  return exposure;
}

// Display names; none if the object has no instances. Totals are hidden.
Exposure exposed_instances(const CountersetSample& sample, const MappingOptions& options) {
  Exposure exposure;
  if (!sample.schema->multi_instance) return exposure;
  std::vector<bool> is_shown(sample.rows());
  for (const InstanceLabels& labels :
       map_instances(*sample.schema, sample.instances.get(), options))
    is_shown.at(labels.row) = true;
  for (std::size_t i = 0; i < sample.rows(); ++i)
    add(exposure, is_shown[i], display_name(sample.instances->instances[i]));
  return exposure;
}

}  // namespace

ResolvedPlan unresolved_plan(const Config& config, std::string why) {
  ResolvedPlan plan{
      .countersets = {}, .max_series = config.limits.max_series, .unresolved = std::move(why)};
  for (const CountersetConfig& counterset : config.countersets)
    plan.countersets.push_back({.label = counterset.label,
                                .names = counterset.names,
                                .interval = counterset.interval,
                                .path = counterset.path.value_or(config.path),
                                .ranked_by = counterset.ranked_by});
  return plan;
}

namespace {

std::uint64_t series_of_full_page(const Config& config, const Sample& sample) {
  std::string page;
  std::uint64_t series = 0;
  for (const CountersetCounts& counts : SampleWriter(full_mapping(config)).append(page, sample))
    series += counts.series;
  return series;
}

}  // namespace

ResolvedPlan resolve_plan(const SamplerSources& sources, const Config& config, bool is_recording,
                          const StopToken& stop) {
  const ResolvedPlan configured = unresolved_plan(config, {});
  std::vector<CountersetState> states = sample_everything(sources, config, is_recording, stop);
  const std::size_t machines = 1 + sources.other_machines.size();
  const std::size_t count = configured.countersets.size() * machines;
  states.resize(2 * count);
  Sample selected;
  selected.countersets.assign(states.begin(), states.begin() + static_cast<std::ptrdiff_t>(count));
  std::string page;
  const auto counts = SampleWriter(mapping_options(config)).append(page, selected);
  ResolvedPlan plan{.max_series = config.limits.max_series,
                    .full_series = series_of_full_page(config, selected)};
  for (std::size_t i = 0; i < count; ++i) {
    ResolvedCounterset& resolved =
        plan.countersets.emplace_back(configured.countersets[i / machines]);
    resolved.machine = states[i].machine;
    resolved.state = states[i];
    resolved.series = counts[i].series;
    resolved.no_room = counts[i].no_room;
    resolved.hidden_instances = counts[i].hidden_instances;
    if (const auto& own = resolved.state->sample) {
      resolved.counters = exposed_counters(*own, mapping_options(config));
      resolved.instances = exposed_instances(*own, mapping_options(config));
    }
    const auto& everything = states[count + i].sample;
    if (everything == nullptr) continue;
    for (const CounterSchema& counter : everything->schema->counters)
      resolved.all_counters.push_back(counter.name);
    if (everything->schema->multi_instance)
      resolved.all_instances = everything->instances->instances.size();
  }
  return plan;
}

}  // namespace winperf
