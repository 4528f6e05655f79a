#include <condition_variable>
#include <iostream>
#include <mutex>

#include "collectors/model/sample_slot.h"
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

constexpr std::chrono::seconds kShortestInterval{1};

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

void complain_about(const std::vector<Error>& problems) {
  for (const Error& problem : problems) complain(describe(problem));
}

std::optional<std::vector<ObjectIndex>> wanted_objects(const std::vector<std::string>& names,
                                                       const CatalogKeeper& catalog) {
  std::vector<ObjectIndex> wanted;
  for (const std::string& name : names) {
    const auto found = catalog.objects_named(name);
    if (found.empty()) {
      complain(unknown_name_message(name, catalog.catalog()));
      return std::nullopt;
    }
    wanted.insert(wanted.end(), found.begin(), found.end());
  }
  return wanted;
}

// Every sample of a capture, with every object in it.
int query_replay(CounterSource& source, const QueryOptions& options, const Config& config) {
  const CatalogKeeper catalog(source, name_language(config), {});
  const auto wanted = wanted_objects(options.names, catalog);
  if (!wanted) return kExitFailure;
  Printer printer(options.format, mapping_options(config.metrics));
  ReplySampler sampler;
  bool complete = true;
  bool delivered = false;
  while (true) {
    const auto reply = source.query("Global", {});
    if (!reply && reply.error().code == ErrorCode::kEndOfCapture) break;
    std::vector<Error> problems;
    CountersetSamples samples;
    if (reply) {
      samples = sampler.take(*reply, catalog.catalog(), catalog.generation(), *wanted, problems);
    } else {
      problems.push_back(reply.error());
    }
    complain_about(problems);
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

void wait_until(std::chrono::steady_clock::time_point time, std::stop_token stop) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_until(lock, stop, time, [] { return false; });
}

// Two samples, an interval apart; the second one is shown.
int query_machine(const Setup& setup, const QueryOptions& options) {
  const Config& config = setup.config;
  const StopSignal stop;
  SampleSlot slot;
  Sampler sampler(sampler_sources(setup), slot, plan_of(options, config), system_clocks(), {});
  wait_until(sampler.step(stop.token()), stop.token());
  sampler.step(stop.token());
  setup.source->release();
  if (stop.token().stop_requested()) return kExitFailure;

  CountersetSamples samples;
  for (const CountersetState& state : slot.latest()->countersets) {
    if (state.sample != nullptr) samples.push_back(state.sample);
    if (!state.success) complain(state.name + ": " + describe(*state.error));
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
  if (options.interval < kShortestInterval) {
    complain("--interval is at least 1s: Windows' own guidance sets that floor");
    return kExitUsage;
  }
  const auto setup = open_setup(options.common);
  if (!setup) return setup.error();
  return setup->is_replay ? query_replay(*setup->source, options, setup->config)
                          : query_machine(*setup, options);
}

}  // namespace winperf
