#include <algorithm>
#include <deque>
#include <iostream>
#include <optional>

#include "collectors/base/pause.h"
#include "collectors/model/sample_slot.h"
#include "collectors/sampler/sampler.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "exporter/json/sample_document.h"
#include "service/commands/commands.h"
#include "service/commands/listing.h"
#include "service/commands/value_table.h"
#include "service/console/exit_code.h"
#include "service/console/stop_signal.h"
#include "service/run/page.h"
#include "service/run/plan.h"
#include "service/run/setup.h"

namespace winperf {
namespace {

using CountersetSamples = std::vector<std::shared_ptr<const CountersetSample>>;

// Prints one sample after the other; the page format can only show one, the last.
class Printer {
 public:
  Printer(OutputFormat format, MappingOptions mapping) : format_(format), mapping_(mapping) {}

  // `time` is for samples in which there is nothing that has one.
  void print(const CountersetSamples& samples, std::optional<Ticks100ns> time = {}) {
    std::string out;
    if (format_ == OutputFormat::kJson) {
      if (!samples.empty()) time = samples.front()->clocks.time_100ns;
      json::append_query_line(out, count_, time, samples);
    } else if (format_ == OutputFormat::kTable) {
      append_table(out, samples);
    } else {
      last_ = samples;
    }
    ++count_;
    std::cout << out << std::flush;
  }

  void finish() {
    if (format_ == OutputFormat::kPrometheus) std::cout << render_page(last_, mapping_);
  }

 private:
  OutputFormat format_;
  MappingOptions mapping_;
  std::uint64_t count_ = 0;
  CountersetSamples last_;
};

// `place`: of which source and sample.
void complain_about(const std::vector<Error>& problems, const std::string& place) {
  for (const Error& problem : problems) complain(place + ": " + describe(problem));
}

// The V1 objects of one machine of a recording, one sample after the other.
class V1Replay {
 public:
  V1Replay(CounterSource& source, Language language)
      : source_(source), catalog_(source, language, {}) {}

  // Instead of everything.
  void want_nothing() {
    everything_ = false;
    wanted_.clear();
  }
  // False where the machine has no object with this name.
  bool want(const std::string& name) {
    const auto found = catalog_.objects_named(name);
    wanted_.insert(wanted_.end(), found.begin(), found.end());
    return !found.empty();
  }
  const Catalog& catalog() const { return catalog_.catalog(); }

  // False at the end of the recording.
  bool take(CountersetSamples& samples, std::optional<Ticks100ns>& time,
            std::vector<Error>& problems) {
    const auto reply = source_.query("Global", {});
    if (!reply) {
      if (reply.error().code == ErrorCode::kEndOfCapture) return false;
      // The machines of a recording share its samples, and so what is wrong with one.
      if (std::ranges::find(problems, reply.error()) == problems.end())
        problems.push_back(reply.error());
      return true;
    }
    time = reply->time;
    if (!everything_ && wanted_.empty()) return true;
    const SampledObjects taken =
        sampler_.take(*reply, catalog_.catalog(), catalog_.generation(), wanted_);
    samples.insert(samples.end(), taken.samples.begin(), taken.samples.end());
    problems.insert(problems.end(), taken.problems.begin(), taken.problems.end());
    return true;
  }

 private:
  CounterSource& source_;
  CatalogKeeper catalog_;
  ObjectSampler sampler_;
  std::vector<ObjectIndex> wanted_;
  bool everything_ = true;
};

// The V2 countersets of a recording, one sample after the other.
class V2Replay {
 public:
  V2Replay(PerflibConnection* perflib, const std::vector<std::string>& countersets)
      : perflib_(perflib) {
    for (const std::string& name : countersets)
      readers_.emplace_back(name, PerflibReader(PlannedCounterset{}));
  }

  void take(CountersetSamples& samples, std::vector<Error>& problems) {
    if (perflib_ == nullptr) return;
    perflib_->begin_round({});
    for (auto& [name, reader] : readers_) {
      ReadResult reading = reader.read(*perflib_, name);
      problems.insert(problems.end(), problems_of(reading).begin(), problems_of(reading).end());
      if (reading) {
        samples.push_back(std::move(reading->sample));
      } else if (kind_of(reading.error().error.code) != ErrorKind::kAbsent) {
        problems.push_back(reading.error().error);
      }
    }
    // Nothing is lost by it, so a recording is as complete as the machine was.
    std::erase_if(problems, [](const Error& e) { return e.code == ErrorCode::kPaddingLeftOut; });
  }

 private:
  PerflibConnection* perflib_;
  std::vector<std::pair<std::string, PerflibReader>> readers_;
};

// Finds out what the names stand for: V1 objects of any machine, or V2 countersets, which are
// returned. A name is that of a V2 counterset if there is one, as it is when a machine is sampled.
std::optional<std::vector<std::string>> find_wanted(const std::vector<std::string>& names,
                                                    std::deque<V1Replay>& machines,
                                                    PerflibConnection* perflib) {
  std::vector<std::string> countersets;
  if (names.empty() && perflib != nullptr)
    for (const V2Catalog::Entry& entry : perflib->catalog().entries())
      countersets.push_back(to_string(entry.guid));
  if (!names.empty())
    for (V1Replay& machine : machines) machine.want_nothing();
  for (const std::string& name : names) {
    if (perflib != nullptr && !perflib->catalog().named(name).empty()) {
      countersets.push_back(name);
      continue;
    }
    bool found = false;
    for (V1Replay& machine : machines) found = machine.want(name) || found;
    if (found) continue;
    complain(unknown_name_message(name, machines.front().catalog()));
    return std::nullopt;
  }
  return countersets;
}

// Every sample of a recording, with every object in it.
int query_replay(const Setup& setup, const QueryOptions& options) {
  const Config& config = setup.config;
  std::deque<V1Replay> machines;
  for (CounterSource* const source : all_sources(setup))
    machines.emplace_back(*source, name_language(config));
  std::optional<PerflibConnection> perflib;
  if (setup.perflib != nullptr && options.path != CounterPath::kRegistry)
    perflib.emplace(*setup.perflib, std::u16string(), perflib_limits(config), name_language(config),
                    PerflibConnection::Time());
  const auto countersets = find_wanted(options.names, machines, perflib ? &*perflib : nullptr);
  if (!countersets) return kExitFailure;
  if (options.path == CounterPath::kPerflib)
    for (V1Replay& machine : machines) machine.want_nothing();
  Printer printer(options.format, mapping_options(config.metrics));
  V2Replay v2(perflib ? &*perflib : nullptr, *countersets);
  bool complete = true;
  bool delivered = false;
  for (std::uint64_t number = 0;; ++number) {
    CountersetSamples samples;
    std::optional<Ticks100ns> time;
    std::vector<Error> problems;
    const auto take = [&](V1Replay& machine) { return machine.take(samples, time, problems); };
    if (std::ranges::count_if(machines, take) == 0) break;
    v2.take(samples, problems);
    complain_about(problems, options.common.source + ", sample " + std::to_string(number));
    complete = complete && problems.empty();
    delivered = delivered || !samples.empty();
    printer.print(samples, time);
  }
  printer.finish();
  if (!delivered) complain("no sample of the capture holds the objects asked for");
  return complete && delivered ? kExitOk : kExitFailure;
}

std::vector<PlannedCounterset> plan_of(const QueryOptions& options, const Config& config) {
  std::vector<PlannedCounterset> plan = make_plan(config);
  if (!options.names.empty()) {
    plan.clear();
    for (const std::string& name : options.names) {
      PlannedCounterset& planned = plan.emplace_back();
      planned.label = name;
      planned.names = {name};
      planned.path = config.path;
      planned.selection.cook.cap_percent = config.metrics.cap_percentages;
    }
  }
  for (PlannedCounterset& planned : plan) {
    planned.interval = options.interval;
    if (options.path) planned.path = *options.path;
  }
  return plan;
}

// Two samples, an interval apart; the second one is shown.
int query_machine(const Setup& setup, const QueryOptions& options) {
  const Config& config = setup.config;
  const StopSignal stop;
  SampleSlot slot;
  Sampler sampler(sampler_sources(setup), slot, plan_of(options, config), system_clocks(), {});
  pause_until(sampler.step(stop.token()), stop.token());
  sampler.step(stop.token());
  setup.source->release();
  if (stop.token().stop_requested()) return kExitFailure;

  CountersetSamples samples;
  for (const CountersetState& state : slot.latest()->countersets) {
    if (state.sample != nullptr) samples.push_back(state.sample);
    if (!state.success) complain(state.name + ": " + describe_failure(state));
    if (state.preferred_path_error)
      complain(state.name + ": PerfLib failed, so it is read through the registry: " +
               describe(*state.preferred_path_error));
  }
  Printer printer(options.format, mapping_options(config.metrics));
  printer.print(samples);
  printer.finish();
  // The defaults name what most machines have; what was asked for by name has to be there.
  const bool all = samples.size() == slot.latest()->countersets.size();
  return samples.empty() || (!all && !options.names.empty()) ? kExitFailure : kExitOk;
}

}  // namespace

int query_counters(const QueryOptions& options) {
  if (!is_interval(options.interval)) return kExitUsage;
  const auto setup = open_setup(options.common);
  if (!setup) return setup.error();
  return setup->is_replay ? query_replay(*setup, options) : query_machine(*setup, options);
}

}  // namespace winperf
