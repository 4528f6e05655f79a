#include <algorithm>
#include <deque>
#include <expected>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "collectors/base/printable.h"
#include "collectors/base/stop.h"
#include "collectors/base/wording.h"
#include "collectors/catalog/catalog.h"
#include "collectors/match/nearest.h"
#include "collectors/model/sample.h"
#include "collectors/sampler/sampler.h"
#include "collectors/sampling/perflib/perflib_reader.h"
#include "collectors/sampling/plan.h"
#include "collectors/sampling/registry/object_sampler.h"
#include "collectors/wire/block_view.h"
#include "config/patterns.h"
#include "exporter/http/socket.h"
#include "service/commands/command.h"
#include "service/commands/listing.h"
#include "service/commands/query.h"
#include "service/commands/sample_printer.h"
#include "service/console/look.h"
#include "service/console/stop_signal.h"
#include "service/plan/plan.h"
#include "service/run/discovery.h"

namespace winperf {
namespace {

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

// All counters of the countersets that are named, whichever of them are sampled.
std::vector<std::string> counters_of_named(const QueryOptions& options) {
  std::vector<std::string> counters;
  if (options.names.empty()) return counters;
  ListOptions whole;  // of objects: a path whose counter is unknown would list nothing
  for (const std::string& name : options.names)
    whole.names.push_back(plan_named(name, Config()).names.front());
  const auto setup = open_setup(options.setup);
  const auto listing = setup ? make_listing(*setup, whole) : Listing();
  if (!listing) return counters;
  for (const ListedObject& object : listing->objects)
    for (const CounterSchema& counter : object.schema.counters) counters.push_back(counter.name);
  return counters;
}

// Empty if one of the samples has the counter by which instances are sorted.
std::string missing_sort_counter(const QueryOptions& options, const CountersetSamples& samples) {
  if (options.sort.empty() || samples.empty()) return {};
  std::vector<std::string> counters;
  for (const auto& sample : samples)
    for (const CounterSchema& counter : sample->schema->counters) {
      if (is_called(counter, options.sort)) return {};
      counters.push_back(counter.name);
    }
  std::ranges::move(counters_of_named(options), std::back_inserter(counters));
  const std::vector<std::string_view> names(counters.begin(), counters.end());
  const std::string_view meant = nearest(options.sort, names);
  return "cannot sort by " + in_quotes(options.sort) + ": no counter has this name" +
         (meant.empty() ? std::string("; \"winperf_exporter list --counters\" shows all")
                        : "; did you mean " + in_quotes(std::string(meant)) + '?');
}

// Prints every sample, with every object that is wanted in it. Reports what is missing or damaged
// on standard error, and returns the exit code: a failure if anything of the recording can't be
// shown.
int query_recording(const Setup& setup, const QueryOptions& options, const Plan& plan,
                    SamplePrinter& printer) {
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
    if (const std::string missing = missing_sort_counter(options, samples); !missing.empty())
      return fail(missing);
    printer.print(sample);
  }
  if (!delivered) complain("no sample of the recording contains the requested objects");
  return complete && delivered ? kExitOk : kExitFailure;
}

// The same exit code, unless a path names a counter that its object doesn't have.
int with_missing_counters(const QueryOptions& options, const SamplePrinter& printer,
                          int exit_code) {
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
  if (options.counters)
    for (CountersetConfig& counterset : config.countersets) counterset.counters = *options.counters;
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

PrintOptions print_options(const QueryOptions& options, const Setup& setup) {
  const std::optional<TerminalSize> terminal = terminal_size();
  PrintOptions print{.format = options.format,
                     .mapping = full_mapping(setup.config),
                     .is_human = options.human.value_or(terminal.has_value()),
                     .columns = output_look(options.wide).columns,
                     .host = setup.target};
  if (print.host.empty() && !setup.is_replay)
    if (const auto names = names_of_this_machine(); !names.empty()) print.host = names.back();
  if (options.ranks || (options.watches && terminal))
    print.ranking = Ranking{.by = options.sort,
                            .most = options.most,
                            .terminal = options.watches ? terminal : std::nullopt};
  return print;
}

void report_columns(const SamplePrinter& printer) {
  if (printer.values_without_column() != 0)
    complain(
        std::to_string(printer.values_without_column()) +
        " values are not in the output: their instances appeared after the first sample, whose "
        "counters are the columns");
}

// A counterset that fails keeps its last sample, which is not printed again. `before`: may be null.
CountersetSamples new_samples(const Sample& sample, const Sample* before) {
  CountersetSamples samples;
  for (const CountersetState& state : sample.countersets) {
    const bool is_old = before != nullptr &&
                        std::ranges::find(before->countersets, state.sample,
                                          &CountersetState::sample) != before->countersets.end();
    if (state.sample != nullptr && !is_old) samples.push_back(state.sample);
  }
  return samples;
}

// For an unknown name that resembles none, and for a path without its backslash:
// "Processor(_Total)".
std::string advice_on_name(const CountersetState& state) {
  const bool is_unknown = state.error && state.error->code == ErrorCode::kNoSuchName;
  if (!is_unknown || !state.nearest.empty()) return {};
  if (!state.name.ends_with(')') || !state.name.contains('('))
    return "; \"winperf_exporter list\" shows all";
  return "; to read some instances, write a path: " + in_quotes('\\' + state.name + "\\*");
}

std::vector<std::string> complaints_about(const Sample& sample) {
  std::vector<std::string> complaints;
  for (const CountersetState& state : sample.countersets) {
    if (!state.success)
      complaints.push_back(
          printable(state.name + ": " + describe_failure(state) + advice_on_name(state)));
    if (state.preferred_path_error)
      complaints.push_back(state.name + ": PerfLib failed, so it was read through the registry: " +
                           describe(*state.preferred_path_error));
  }
  return complaints;
}

// Prints a sample each interval, after a first one that rates need.
int query_machine(const Setup& setup, const QueryOptions& options) {
  const StopSignal stop;
  SampleSlot slot;
  auto plan = plan_of(options, setup.config, stop.token());
  if (!plan) return fail(plan.error());
  Sampler sampler(sampler_sources(setup), slot, *std::move(plan), system_clocks(), {});
  SamplePrinter printer(print_options(options, setup));
  const std::size_t count = options.count.value_or(options.watches ? 0 : 1);
  std::shared_ptr<const Sample> before;
  std::vector<std::string> complaints;
  bool is_good = false;
  auto due = sampler.step_to(1, stop.token());
  for (std::uint64_t number = 1; count == 0 || number <= count; ++number) {
    pause_until(due, stop.token());
    due = sampler.step_to(number + 1, stop.token());
    if (stop.token().stop_requested()) break;
    const auto sample = slot.latest();
    // What was said of the sample before isn't said again.
    const auto said = std::exchange(complaints, complaints_about(*sample));
    for (const std::string& complaint : complaints)
      if (std::ranges::find(said, complaint) == said.end()) complain(complaint);
    const CountersetSamples samples = new_samples(*sample, std::exchange(before, sample).get());
    if (const std::string missing = missing_sort_counter(options, samples); !missing.empty())
      return fail(missing);
    printer.print(samples);
    // The default countersets may be missing; those that were named must exist.
    const bool all = samples.size() == sample->countersets.size();
    is_good = !samples.empty() && (all || options.names.empty());
  }
  setup.source->release();
  printer.finish();
  report_columns(printer);
  if (stop.token().stop_requested() && count != 0) return kExitFailure;
  return with_missing_counters(options, printer, is_good ? kExitOk : kExitFailure);
}

}  // namespace

int query_counters(const QueryOptions& options) {
  if (!is_interval(options.interval)) return kExitUsage;
  const auto setup = open_or_complain(options.setup);
  if (!setup) return setup.error();
  if (!setup->is_replay) return query_machine(*setup, options);
  if (options.watches)
    return fail("a recording cannot be watched: it prints all samples without --watch", kExitUsage);
  SamplePrinter printer(print_options(options, *setup));
  // Without names and a file, everything is wanted.
  Plan plan;
  if (!options.names.empty() || !options.setup.config_file.empty()) {
    auto planned = plan_of(options, setup->config, {});
    if (!planned) return fail(planned.error());
    plan = *std::move(planned);
  }
  const int exit_code = query_recording(*setup, options, plan, printer);
  printer.finish();
  report_columns(printer);
  return with_missing_counters(options, printer, exit_code);
}

void add_query(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<QueryOptions>();
  CLI::App& command = *program.add_subcommand(
      "query",
      "Take two samples, or more, and print the values; for a recording, print all samples");
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
                            {"prometheus", OutputFormat::kPrometheus},
                            {"csv", OutputFormat::kCsv},
                            {"tsv", OutputFormat::kTsv}},
                           "output format; csv and tsv as typeperf writes them")
      .default_str("table");
  command
      .add_option("-n,--count", options->count, "number of samples to print; 0 means until Ctrl-C")
      ->type_name("N")
      ->default_str("1");
  command.add_flag("-w,--watch", options->watches,
                   "continue until Ctrl-C; on a terminal in place, with the largest values first");
  add_text(command, "--sort", options->sort, "COUNTER", "with --watch, the counter to sort by");
  command.add_flag_callback(
      "--human", [options] { options->human = true; },
      "human-readable numbers, such as 6.2 GiB; the default on a terminal");
  command.add_flag_callback(
      "--exact", [options] { options->human = false; }, "exact numbers, even on a terminal");
  add_wide(command, options->wide);
  command.callback([options, &run] {
    options->setup.target_by_perflib = options->path && *options->path != CounterPath::kRegistry;
    run.exit_code =
        on_named_machine(options->names, options->setup, [&] { return query_counters(*options); });
  });
}

}  // namespace winperf
