#include <chrono>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "collectors/base/clock.h"
#include "collectors/base/path_text.h"
#include "collectors/base/printable.h"
#include "collectors/base/stop.h"
#include "collectors/base/wording.h"
#include "collectors/capture/recorder.h"
#include "collectors/wire/text.h"
#include "exporter/json/json_text.h"
#include "service/commands/command.h"
#include "service/commands/recorder_capture.h"
#include "service/console/machine_description.h"
#include "service/console/stop_signal.h"
#include "service/console/version.h"
#include "service/plan/plan.h"

namespace winperf {

namespace {

struct CaptureOptions {
  SetupOptions setup;
  std::string out;
  std::uint32_t samples = 3;
  std::chrono::milliseconds interval{5000};
  bool costly = false;  // include what is expensive to collect
  bool scrub = false;   // replace names
  std::uint64_t max_bytes = std::uint64_t{512} << 20;
  bool from_recorder = false;
  RecorderCapture recorder{};  // of --from-recorder, without what it shares
};

nlohmann::ordered_json now() {
  std::string text;
  json::append_time(text, system_clocks().wall_now());
  return nlohmann::ordered_json::parse(text);
}

std::vector<std::string> queries_of(const CaptureOptions& options) {
  std::vector<std::string> queries{"Global"};
  if (options.costly) queries.emplace_back("Costly");
  return queries;
}

std::string recorded_source(const SetupOptions& setup) {
  return setup.target.empty() ? setup.source.text : setup.source.text + " of " + setup.target;
}

std::string manifest(const CaptureOptions& options, const capture::Recorder& recorder,
                     const std::string& system) {
  const nlohmann::ordered_json document{
      {"format", 1},
      {"recorded_by", std::string("winperf_exporter ") + kVersion + " (" + kRevision + ", " +
                          kOperatingSystem + " " + kArchitecture + ")"},
      {"system", system.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(system)},
      {"ended_at", now()},
      {"scrubbed", options.scrub},
      {"source", options.scrub ? "withheld" : recorded_source(options.setup)},
      {"queries", queries_of(options)},
      {"samples", recorder.samples()},
      {"interval_seconds", static_cast<double>(options.interval.count()) / 1000},
      {"v2_countersets", recorder.v2_countersets()},
      {"problems", recorder.problems()}};
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

// Records all samples, or fewer if Ctrl-C is pressed or the source ends.
std::expected<void, std::string> record(capture::Recorder& recorder, const CaptureOptions& options,
                                        bool is_replay) {
  if (auto recorded = recorder.record_names(); !recorded) return recorded;
  const StopSignal stop;
  auto next = std::chrono::steady_clock::now();
  for (std::uint32_t i = 0; i < options.samples; ++i) {
    // A recording already has its samples.
    if (!is_replay) pause_until(next, stop.token());
    if (stop.token().stop_requested()) break;
    const auto more = recorder.record_sample(stop.token());
    if (!more) return std::unexpected(more.error());
    if (!*more) break;
    complain("sample " + std::to_string(i + 1) + " of " + std::to_string(options.samples));
    next += options.interval;
  }
  return {};
}

void summarise(const CaptureOptions& options, const capture::Recorder& recorder,
               const capture::Store& store, const capture::Scrubber& scrubber) {
  std::cout << options.out << ": " << counted(recorder.samples(), "sample") << ", "
            << counted(recorder.v2_countersets(), "V2 counterset") << ", "
            << counted(store.bytes(), "byte") << '\n';
  for (const std::string& problem : recorder.problems())
    std::cout << "  missing: " << printable(problem) << '\n';
  if (options.scrub) {
    std::cout << "  replaced the names of instances, of the machine and of its users: "
              << counted(scrubber.names(), "name") << ", and "
              << counted(scrubber.leftovers(), "occurrence") << " outside name fields\n";
  } else {
    std::cout
        << "  the capture contains names of this machine's processes, disks and connections\n";
  }
  std::cout << "  to view it: winperf_exporter query --source replay:" << options.out << '\n';
}

int capture_counters(const CaptureOptions& options) {
  if (!is_interval(options.interval)) return kExitUsage;
  const auto setup = open_or_complain(options.setup);
  if (!setup) return setup.error();
  if (!setup->other_machines.empty()) {
    return fail("a capture holds one machine, but " + options.setup.source.text +
                " has counters of " + counted(setup->other_machines.size() + 1, "machine"));
  }
  const std::filesystem::path folder = path_of(options.out);
  auto store = capture::Store::create(folder, options.max_bytes);
  if (!store) return fail(store.error());
  // A recording comes from another machine.
  const bool is_of_this_machine = !setup->is_replay && setup->target.empty();
  const auto machine = is_of_this_machine ? describe_this_machine() : MachineDescription();
  capture::Scrubber scrubber;
  for (const std::u16string& name : machine.names) scrubber.learn(name);
  // Its first label is what the machine calls itself.
  if (!setup->target.empty())
    for (const std::string& name :
         {setup->target, setup->target.substr(0, setup->target.find('.'))})
      scrubber.learn(to_utf16(name));
  capture::Recorder recorder(*setup->source, setup->perflib.get(), queries_of(options), *store,
                             options.scrub ? &scrubber : nullptr);
  auto recorded = record(recorder, options, setup->is_replay);
  if (const auto finished = recorder.finish(); !finished && recorded) recorded = finished;
  const bool complete = recorded.has_value();
  if (!complete) complain(recorded.error() + "; the samples recorded before that are kept");
  if (recorder.samples() == 0) {
    complain("nothing was recorded");
    for (const std::string& problem : recorder.problems()) complain(problem);
    return kExitFailure;
  }
  const std::string text = manifest(options, recorder, machine.system);
  auto stored = store->put(capture::kManifest, std::as_bytes(std::span(text)));
  if (stored || !complete) stored = store->finish();
  if (!stored) return fail(stored.error());
  summarise(options, recorder, *store, scrubber);
  return complete ? kExitOk : kExitFailure;
}

int capture_recorded(const CaptureOptions& options) {
  RecorderCapture capture = options.recorder;
  capture.config_file = options.setup.config_file;
  capture.scrub = options.scrub;
  capture.out = options.out;
  return capture_from_recorder(capture);
}

void add_from_recorder(CLI::App& command, CaptureOptions& options) {
  command.add_flag("--from-recorder", options.from_recorder,
                   "instead of new samples, those that the running exporter remembers, in a ZIP "
                   "file; the options below belong to it");
  add_text(command, "--since", options.recorder.since, "TIME",
           "how far back: a duration such as 30m, or a time (default: 2h)");
  add_text(command, "--until", options.recorder.until, "TIME", "up to when (default: now)");
  add_text(command, "--counterset", options.recorder.countersets, "NAME",
           "only this counterset; repeatable")
      ->allow_extra_args(false);
  add_text(command, "--url", options.recorder.url, "URL",
           "address of the exporter (default: that of the installed service, or "
           "http://127.0.0.1:10182)");
}

// Of options that don't belong together; empty if all do.
std::string contradiction(const CLI::App& command, bool from_recorder) {
  constexpr const char* kOfNewSamples[] = {"--samples",   "--interval", "--costly",
                                           "--max-bytes", "--target",   "--source"};
  constexpr const char* kOfRecorder[] = {"--since", "--until", "--counterset", "--url"};
  for (const char* const option : kOfNewSamples)
    if (from_recorder && command.count(option) != 0)
      return std::string(option) + " cannot be combined with --from-recorder";
  for (const char* const option : kOfRecorder)
    if (!from_recorder && command.count(option) != 0)
      return std::string(option) + " needs --from-recorder";
  return {};
}

}  // namespace

void add_capture(CLI::App& program, CommandRun& run) {
  const auto options = std::make_shared<CaptureOptions>();
  CLI::App& command = *program.add_subcommand(
      "capture",
      "Record raw counter data of this machine or of --target, to be read elsewhere with --source "
      "replay:DIR or replay:FILE.zip; the capture contains names of processes, disks and so on");
  add_setup(command, options->setup, run);
  add_target(command, options->setup);
  add_text(command, "-o,--out", options->out, "DIR|FILE.zip",
           "folder to create, or a single file if the name ends in .zip")
      ->required();
  command.add_option("-n,--samples", options->samples, "number of samples, 1 to 9999")
      ->check(in_range(1, 9999))
      ->type_name("N")
      ->capture_default_str();
  add_interval(command, options->interval, "5s");
  command.add_flag("--scrub", options->scrub,
                   "replace the names of instances, of the machine and of its users; equal names "
                   "get equal substitutes");
  command.add_flag("--costly", options->costly,
                   "also record objects that are expensive to collect; may take minutes");
  command
      .add_option("--max-bytes", options->max_bytes, "end the capture before it exceeds this size")
      ->transform(CLI::AsSizeValue(false).description(""))
      ->type_name("SIZE")
      ->default_str("512MiB");
  add_from_recorder(command, *options);
  command.callback([options, &run, &command] {
    const std::string wrong = contradiction(command, options->from_recorder);
    run.exit_code = !wrong.empty()           ? fail(wrong, kExitUsage)
                    : options->from_recorder ? capture_recorded(*options)
                                             : capture_counters(*options);
  });
}

}  // namespace winperf
