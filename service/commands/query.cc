#include <iostream>

#include "collectors/model/pause.h"
#include "collectors/model/sample_slot.h"
#include "collectors/sampling/perflib_reader.h"
#include "collectors/sampling/reply_sampler.h"
#include "collectors/sampling/sampler.h"
#include "exporter/json/sample_document.h"
#include "service/commands/commands.h"
#include "service/commands/common.h"
#include "service/exit_code.h"
#include "service/listing.h"
#include "service/page.h"
#include "service/plan.h"
#include "service/stop_signal.h"
#include "service/value_table.h"

namespace winperf {
namespace {

using CountersetSamples = std::vector<std::shared_ptr<const CountersetSample>>;

// Prints one sample after the other; the page format can only show one, the last.
class Printer {
 public:
  Printer(OutputFormat format, MappingOptions mapping) : format_(format), mapping_(mapping) {}

  void print(const CountersetSamples& samples) {
    std::string out;
    if (format_ == OutputFormat::kJson) {
      const Ticks100ns time = samples.empty() ? Ticks100ns{} : samples.front()->clocks.time_100ns;
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

// What of a recording is wanted: V1 objects, all where there is none, and V2 countersets.
struct Wanted {
  std::vector<ObjectIndex> objects;
  std::vector<std::string> countersets;
  bool v1 = true;
};

// A name is that of a V2 counterset if there is one, as it is when a machine is sampled.
std::optional<Wanted> wanted_of(const std::vector<std::string>& names, const CatalogKeeper& catalog,
                                PerflibPath* perflib) {
  Wanted wanted;
  if (names.empty() && perflib != nullptr)
    for (const V2Catalog::Entry& entry : perflib->catalog().entries())
      wanted.countersets.push_back(to_string(entry.guid));
  for (const std::string& name : names) {
    if (perflib != nullptr && !perflib->catalog().named(name).empty()) {
      wanted.countersets.push_back(name);
      continue;
    }
    const auto found = catalog.objects_named(name);
    if (found.empty()) {
      complain(unknown_name_message(name, catalog.catalog()));
      return std::nullopt;
    }
    wanted.objects.insert(wanted.objects.end(), found.begin(), found.end());
  }
  wanted.v1 = names.empty() || !wanted.objects.empty();
  return wanted;
}

// The V2 countersets of a recording, one sample after the other.
class V2Replay {
 public:
  V2Replay(PerflibPath* perflib, const std::vector<std::string>& countersets) : perflib_(perflib) {
    for (const std::string& name : countersets)
      readers_.emplace_back(name, PerflibReader(PlannedCounterset{}));
  }

  void take(CountersetSamples& samples, std::vector<Error>& problems) {
    if (perflib_ == nullptr) return;
    perflib_->begin_round({});
    for (auto& [name, reader] : readers_) {
      auto reading = reader.read(*perflib_, name, problems);
      if (reading) {
        samples.push_back(std::move(reading->sample));
      } else if (kind_of(reading.error().code) != ErrorKind::kAbsent) {
        problems.push_back(reading.error());
      }
    }
  }

 private:
  PerflibPath* perflib_;
  std::vector<std::pair<std::string, PerflibReader>> readers_;
};

// Every sample of a capture, with every object in it.
int query_replay(const Setup& setup, const QueryOptions& options) {
  CounterSource& source = *setup.source;
  const Config& config = setup.config;
  const CatalogKeeper catalog(source, name_language(config), {});
  std::optional<PerflibPath> perflib;
  if (setup.perflib != nullptr && options.path != ReadPath::kRegistry)
    perflib.emplace(*setup.perflib, std::u16string(), perflib_limits(config), name_language(config),
                    PerflibPath::Time());
  const auto wanted = wanted_of(options.names, catalog, perflib ? &*perflib : nullptr);
  if (!wanted) return kExitFailure;
  Printer printer(options.format, mapping_options(config.metrics));
  ReplySampler sampler;
  V2Replay v2(perflib ? &*perflib : nullptr, wanted->countersets);
  bool complete = true;
  bool delivered = false;
  for (std::uint64_t number = 0;; ++number) {
    const auto reply = source.query("Global", {});
    if (!reply && reply.error().code == ErrorCode::kEndOfCapture) break;
    std::vector<Error> problems;
    CountersetSamples samples;
    if (!reply) {
      problems.push_back(reply.error());
    } else if (wanted->v1 && options.path != ReadPath::kPerflib) {
      samples =
          sampler.take(*reply, catalog.catalog(), catalog.generation(), wanted->objects, problems);
    }
    v2.take(samples, problems);
    complain_about(problems, options.common.source + ", sample " + std::to_string(number));
    complete = complete && problems.empty();
    delivered = delivered || !samples.empty();
    printer.print(samples);
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
      planned.path = static_cast<PathChoice>(config.path);
      planned.selection.cook.cap_percent = config.metrics.cap_percentages;
    }
  }
  for (PlannedCounterset& planned : plan) {
    planned.interval = options.interval;
    if (options.path) planned.path = static_cast<PathChoice>(*options.path);
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
