#include <algorithm>
#include <cstdio>
#include <deque>
#include <expected>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "collectors/base/printable.h"
#include "collectors/base/stop.h"
#include "collectors/catalog/catalog.h"
#include "collectors/model/sample.h"
#include "collectors/sampler/sampler.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/wire/block_view.h"
#include "config/patterns.h"
#include "exporter/json/json_text.h"
#include "exporter/json/sample_document.h"
#include "exporter/text/sample_writer.h"
#include "service/commands/command.h"
#include "service/commands/listing.h"
#include "service/console/stop_signal.h"
#include "service/console/text_columns.h"
#include "service/plan/plan.h"
#include "service/run/discovery.h"

namespace winperf {
namespace {

struct QueryOptions {
  SetupOptions setup;
  std::vector<std::string> names;   // empty: the configured countersets
  std::optional<CounterPath> path;  // nothing: as configured
  std::chrono::milliseconds interval{1000};
  OutputFormat format = OutputFormat::kTable;
};

using CountersetSamples = std::vector<std::shared_ptr<const CountersetSample>>;

// One sample of a recording.
struct RecordedSample {
  CountersetSamples countersets{};
  std::optional<Ticks100ns> time{};  // empty if nothing in it has one
  std::string host{};                // empty if the recording is of several, or doesn't say
};

struct Line {
  std::string instance;
  std::string counter;
  std::string value;
};

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string value_text(const CountersetSample& sample, std::size_t cell,
                       const CounterSchema& counter) {
  const NoValue reason = sample.reason[cell];
  if (reason != NoValue::kNone) return "- (" + std::string(name_of(reason)) + ")";
  // States are whole numbers, and are shown as such instead of as 1.71799e+10.
  if (counter.info().formula == Formula::kRaw) return raw_text(counter, sample.raw[cell]);
  return number(sample.cooked[cell]) +
         std::string(counter.info().suffix.starts_with('/') ? "" : " ") +
         std::string(counter.info().suffix);
}

std::vector<Line> lines_of(const CountersetSample& sample) {
  std::vector<Line> lines;
  for (std::size_t row = 0; row < sample.rows(); ++row) {
    const std::string instance =
        sample.schema->multi_instance ? display_name(sample.instances->instances[row]) : "";
    for (std::size_t column = 0; column < sample.columns(); ++column) {
      const CounterSchema& counter = sample.schema->counters[column];
      const std::string name =
          counter.name.empty() ? std::to_string(value_of(counter.index)) : counter.name;
      lines.push_back({instance, name, value_text(sample, sample.cell(row, column), counter)});
    }
  }
  return lines;
}

std::string identifier_of(const CountersetSchema& schema) {
  if (schema.path == CounterPath::kLog) return std::string(name_of(schema.path));
  return schema.guid ? to_string(*schema.guid) : std::to_string(value_of(schema.index));
}

void append_table(std::string& out,
                  std::span<const std::shared_ptr<const CountersetSample>> samples) {
  for (const auto& sample : samples) {
    const std::vector<Line> lines = lines_of(*sample);
    std::size_t instance_columns = 0;
    std::size_t counter_columns = 0;
    for (const Line& line : lines) {
      instance_columns = std::max(instance_columns, text_width(line.instance));
      counter_columns = std::max(counter_columns, text_width(line.counter));
    }
    out += printable(sample->schema->name) + " [" + identifier_of(*sample->schema) + ']';
    if (!sample->schema->machine.empty()) out += " on " + printable(sample->schema->machine);
    out += '\n';
    for (const Line& line : lines) {
      out += "  ";
      if (instance_columns != 0) append_padded(out, line.instance, instance_columns);
      append_padded(out, line.counter, counter_columns);
      out += line.value + '\n';
    }
    if (lines.empty()) out += sample->columns() == 0 ? "  no such counter\n" : "  no instances\n";
  }
}

// ", 2021-04-01T12:08:52.7780000Z"; empty if it is no time.
std::string time_text(Ticks100ns time) {
  std::string text;
  json::append_time(text, time);
  std::erase(text, '"');
  return text == "null" ? "" : ", " + text;
}

std::string page_of(const CountersetSamples& samples, const MappingOptions& options) {
  Sample page;
  for (const auto& sample : samples) {
    CountersetState& state = page.countersets.emplace_back();
    state.name = sample->schema->name;
    state.sample = sample;
    state.success = true;
  }
  std::string text;
  SampleWriter(options).append(text, page);
  return text;
}

// Prints one sample after the other. The page format shows only the last one.
class Printer {
 public:
  Printer(OutputFormat format, MappingOptions mapping) : format_(format), mapping_(mapping) {}

  // Whether a sample had none of the requested counters.
  bool lacks_counters() const { return lacks_counters_; }

  void print(const CountersetSamples& samples) {
    const auto time =
        samples.empty() ? std::nullopt : std::optional(samples.front()->clocks.time_100ns);
    print_one(samples, time, {});
  }
  // Of a recording: in a table, each sample has a heading.
  void print(const RecordedSample& sample) {
    print_one(sample.countersets, sample.time, heading_of(sample));
  }

  void finish() {
    if (format_ == OutputFormat::kPrometheus) std::cout << page_of(last_, mapping_);
  }

 private:
  // "sample 3, 2021-04-01T12:08:52.7780000Z, HOST"
  std::string heading_of(const RecordedSample& sample) const {
    std::string heading = "sample " + std::to_string(count_);
    if (sample.time) heading += time_text(*sample.time);
    if (!sample.host.empty()) heading += ", " + printable(sample.host);
    return heading + '\n' + (sample.countersets.empty() ? "  nothing\n" : "");
  }

  void print_one(const CountersetSamples& samples, std::optional<Ticks100ns> time,
                 const std::string& heading) {
    for (const auto& sample : samples) lacks_counters_ |= sample->columns() == 0;
    std::string out;
    if (format_ == OutputFormat::kJson) {
      json::append_query_line(out, count_, time, samples);
    } else if (format_ == OutputFormat::kTable) {
      out = heading;
      append_table(out, samples);
    } else {
      last_ = samples;
    }
    ++count_;
    std::cout << out << std::flush;
  }

  OutputFormat format_;
  MappingOptions mapping_;
  std::uint64_t count_ = 0;
  CountersetSamples last_;
  bool lacks_counters_ = false;
};

// Of a recording. Nothing means everything.
using Plan = std::optional<std::vector<PlannedCounterset>>;

// `place`: the source and the sample.
void complain_about(const std::vector<Error>& problems, const std::string& place) {
  for (const Error& problem : problems) complain(place + ": " + describe(problem));
}

// The V1 objects of one machine of a recording, one sample after the other.
class V1Replay {
 public:
  V1Replay(CounterSource& source, Language language)
      : source_(source), catalog_(source, language, {}) {}

  void want_everything() { wanted_.push_back({Alternative{}}); }
  // False if the machine has no object with one of the names.
  bool want(const PlannedCounterset& planned) {
    std::vector<Alternative> alternatives;
    for (const std::string& name : planned.names)
      if (auto objects = catalog_.objects_named(name); !objects.empty())
        alternatives.push_back({std::move(objects), ObjectSampler(planned.selection)});
    if (alternatives.empty()) return false;
    wanted_.push_back(std::move(alternatives));
    return true;
  }
  const Catalog& catalog() const { return catalog_.catalog(); }

  // False at the end of the recording.
  bool take(RecordedSample& sample, std::vector<Error>& problems) {
    const auto reply = source_.query("Global", {});
    if (!reply) {
      if (reply.error().code == ErrorCode::kEndOfCapture) return false;
      // The machines of a recording share its samples and their problems.
      add(problems, {reply.error()});
      return true;
    }
    const auto block = first_block_of(*reply);
    sample.time = reply->time ? reply->time
                  : block     ? std::optional(block->clocks().time_100ns)
                              : sample.time;
    sample.host = !reply->host.empty() ? reply->host : block ? block->computer_name() : "";
    for (std::vector<Alternative>& alternatives : wanted_)
      take_first(alternatives, *reply, sample.countersets, problems);
    return true;
  }

 private:
  struct Alternative {
    std::vector<ObjectIndex> objects{};  // empty: all
    ObjectSampler sampler{};
  };

  // The first sound one; empty if there is none.
  static std::optional<BlockView> first_block_of(const Reply& reply) {
    for (const ReplyBlocks::Walked& walked : reply.blocks.walked())
      if (walked.block) return *walked.block;
    return std::nullopt;
  }

  void take_first(std::vector<Alternative>& alternatives, const Reply& reply,
                  CountersetSamples& samples, std::vector<Error>& problems) {
    for (auto& [objects, sampler] : alternatives) {
      const SampledObjects taken =
          sampler.take(reply, catalog_.catalog(), catalog_.generation(), objects);
      samples.insert(samples.end(), taken.samples.begin(), taken.samples.end());
      add(problems, taken.problems);
      if (!taken.samples.empty()) return;
    }
  }

  // What is wrong with a reply is found for each part of the plan.
  static void add(std::vector<Error>& problems, const std::vector<Error>& more) {
    for (const Error& problem : more)
      if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(problem);
  }

  CounterSource& source_;
  CatalogKeeper catalog_;
  std::vector<std::vector<Alternative>> wanted_;
};

// The V2 countersets of a recording, one sample after the other.
class V2Replay {
 public:
  // `perflib`: null if there is none.
  explicit V2Replay(PerflibConnection* perflib) : perflib_(perflib) {}

  void want_everything() {
    if (perflib_ == nullptr) return;
    for (const V2Catalog::Entry& entry : perflib_->catalog().entries())
      readers_.emplace_back(to_string(entry.guid), PerflibReader(PlannedCounterset{}));
  }
  // False if no V2 provider has one of the names.
  bool want(const PlannedCounterset& planned) {
    if (perflib_ == nullptr) return false;
    const auto known = std::ranges::find_if(planned.names, [this](const std::string& name) {
      return !perflib_->catalog().named(name).empty();
    });
    if (known == planned.names.end()) return false;
    readers_.emplace_back(*known, PerflibReader(planned));
    return true;
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
    // Left-out padding loses no data, so it does not make a recording incomplete.
    std::erase_if(problems, [](const Error& e) { return e.code == ErrorCode::kPaddingLeftOut; });
  }

 private:
  PerflibConnection* perflib_;
  std::vector<std::pair<std::string, PerflibReader>> readers_;
};

// Sets what both read: everything without a plan. As in sampling, V2 countersets take precedence
// over V1 objects. False if a named one is unknown.
bool select(const QueryOptions& options, const Plan& plan, std::deque<V1Replay>& machines,
            V2Replay& v2) {
  const bool has_v1 = options.path != CounterPath::kPerflib;
  if (!plan) {
    v2.want_everything();
    if (has_v1)
      for (V1Replay& machine : machines) machine.want_everything();
    return true;
  }
  for (const PlannedCounterset& planned : *plan) {
    if (v2.want(planned)) continue;
    bool is_known = false;
    for (V1Replay& machine : machines) is_known = (has_v1 && machine.want(planned)) || is_known;
    if (is_known) continue;
    complain(unknown_name_message(planned.names.front(), machines.front().catalog()));
    if (!options.names.empty()) return false;
  }
  return true;
}

// Prints every sample, with every object that is wanted in it. Reports what is missing or damaged
// on standard error, and returns the exit code: a failure if anything of the recording can't be
// shown.
int query_recording(const Setup& setup, const QueryOptions& options, const Plan& plan,
                    Printer& printer) {
  const Config& config = setup.config;
  std::deque<V1Replay> machines;
  for (CounterSource* const source : all_sources(setup))
    machines.emplace_back(*source, name_language(config));
  std::optional<PerflibConnection> perflib;
  if (setup.perflib != nullptr && options.path != CounterPath::kRegistry)
    perflib.emplace(*setup.perflib, name_language(config), PerflibConnection::Time());
  V2Replay v2(perflib ? &*perflib : nullptr);
  if (!select(options, plan, machines, v2)) return kExitFailure;
  bool complete = !setup.is_incomplete;
  bool delivered = false;
  for (std::uint64_t number = 0;; ++number) {
    RecordedSample sample;
    std::vector<Error> problems;
    const auto take = [&](V1Replay& machine) { return machine.take(sample, problems); };
    if (std::ranges::count_if(machines, take) == 0) break;
    if (machines.size() > 1) sample.host.clear();
    CountersetSamples& samples = sample.countersets;
    v2.take(samples, problems);
    if (!samples.empty()) sample.time = samples.front()->clocks.time_100ns;
    complain_about(problems, options.setup.source.text + ", sample " + std::to_string(number));
    complete = complete && problems.empty();
    delivered = delivered || !samples.empty();
    printer.print(sample);
  }
  if (!delivered) complain("no sample of the recording contains the requested objects");
  return complete && delivered ? kExitOk : kExitFailure;
}

// The same exit code, unless a path names a counter that its object doesn't have.
int with_missing_counters(const QueryOptions& options, const Printer& printer, int exit_code) {
  if (!printer.lacks_counters() || options.names.empty()) return exit_code;
  const auto setup = open_setup(options.setup);
  const auto listing = setup ? make_listing(*setup, {.names = options.names}) : Listing();
  return listing ? exit_code : fail(listing.error());
}

// For the named or configured countersets, with patterns expanded. The error is a sentence.
std::expected<std::vector<PlannedCounterset>, std::string> plan_of(const QueryOptions& options,
                                                                   Config config,
                                                                   const StopToken& stop) {
  if (!options.names.empty()) config.countersets.clear();
  for (const std::string& name : options.names)
    config.countersets.push_back(counterset_named(name, config));
  const auto concrete = discover_and_expand(options.setup, config, stop);
  if (!concrete) return std::unexpected(concrete.error());
  if (!concrete->gap.empty()) complain(printable(concrete->gap));
  const std::vector<std::string>& unmatched = concrete->unmatched;
  if (!unmatched.empty() && (!options.names.empty() || concrete->config.countersets.empty()))
    return std::unexpected(unmatched_message(unmatched.front()));
  if (concrete->config.countersets.empty())
    return std::unexpected("the configuration samples no counterset; name one, such as Memory");
  for (const std::string& pattern : unmatched) complain(unmatched_message(pattern));
  std::vector<PlannedCounterset> plan = make_plan(concrete->config);
  for (PlannedCounterset& planned : plan) {
    planned.interval = options.interval;
    if (options.path) planned.path = *options.path;
  }
  return plan;
}

// Takes two samples, an interval apart, and prints the second one.
int query_machine(const Setup& setup, const QueryOptions& options) {
  const Config& config = setup.config;
  const StopSignal stop;
  SampleSlot slot;
  auto plan = plan_of(options, config, stop.token());
  if (!plan) return fail(plan.error());
  Sampler sampler(sampler_sources(setup), slot, *std::move(plan), system_clocks(), {});
  pause_until(sampler.step_to(1, stop.token()), stop.token());
  sampler.step_to(2, stop.token());
  setup.source->release();
  if (stop.token().stop_requested()) return kExitFailure;

  CountersetSamples samples;
  for (const CountersetState& state : slot.latest()->countersets) {
    if (state.sample != nullptr) samples.push_back(state.sample);
    if (!state.success) complain(printable(state.name + ": " + describe_failure(state)));
    if (state.preferred_path_error)
      complain(state.name + ": PerfLib failed, so it was read through the registry: " +
               describe(*state.preferred_path_error));
  }
  Printer printer(options.format, mapping_options(config));
  printer.print(samples);
  printer.finish();
  // The default countersets may be missing; those that were named must exist.
  const bool all = samples.size() == slot.latest()->countersets.size();
  const bool is_good = !samples.empty() && (all || options.names.empty());
  return with_missing_counters(options, printer, is_good ? kExitOk : kExitFailure);
}

int query_counters(const QueryOptions& options) {
  if (!is_interval(options.interval)) return kExitUsage;
  const auto setup = open_or_complain(options.setup);
  if (!setup) return setup.error();
  if (!setup->is_replay) return query_machine(*setup, options);
  Printer printer(options.format, mapping_options(setup->config));
  // Without names and a file, no particular counterset was requested.
  Plan plan;
  if (!options.names.empty() || !options.setup.config_file.empty()) {
    auto planned = plan_of(options, setup->config, {});
    if (!planned) return fail(planned.error());
    plan = *std::move(planned);
  }
  const int exit_code = query_recording(*setup, options, plan, printer);
  printer.finish();
  return with_missing_counters(options, printer, exit_code);
}

}  // namespace

void add_query(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<QueryOptions>();
  CLI::App& command = *program.add_subcommand(
      "query", "Take two samples and print the values; for a recording, print all samples");
  add_setup(command, options->setup, run);
  add_target(command, options->setup);
  add_names(command, options->names, "OBJECT",
            "objects by name or index, or counter paths (default: the configured countersets)");
  add_choice<std::optional<CounterPath>>(
      command, "--path", options->path,
      {{"auto", CounterPath::kAuto},
       {"registry", CounterPath::kRegistry},
       {"perflib", CounterPath::kPerflib}},
      "Windows API to read counters through, instead of the configured one");
  add_interval(command, options->interval, "1s");
  add_choice<OutputFormat>(command, "-f,--format", options->format,
                           {{"table", OutputFormat::kTable},
                            {"json", OutputFormat::kJson},
                            {"prometheus", OutputFormat::kPrometheus}},
                           "output format")
      .default_str("table");
  command.callback([options, &run] {
    options->setup.target_by_perflib = options->path && *options->path != CounterPath::kRegistry;
    run.exit_code = query_counters(*options);
  });
}

}  // namespace winperf
