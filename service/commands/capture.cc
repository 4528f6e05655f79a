#include <chrono>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "collectors/base/pause.h"
#include "collectors/capture/capture_files.h"
#include "collectors/capture/recorder.h"
#include "collectors/sources/clock_source.h"
#include "exporter/json/json_text.h"
#include "service/commands/commands.h"
#include "service/commands/machine_description.h"
#include "service/console/exit_code.h"
#include "service/console/stop_signal.h"
#include "service/console/version.h"
#include "service/run/plan.h"
#include "service/run/setup.h"

namespace winperf {
namespace {

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

std::string manifest(const CaptureOptions& options, const capture::Recorder& recorder,
                     const std::string& system) {
  const nlohmann::ordered_json document{
      {"format", 1},
      {"recorded_by", std::string("winperf_exporter ") + kVersion + " (" + kRevision + ", " +
                          kOperatingSystem + " " + kArchitecture + ")"},
      {"system", system.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(system)},
      {"ended_at", now()},
      {"scrubbed", options.scrub},
      {"source", options.scrub ? "not told" : options.common.source},
      {"queries", queries_of(options)},
      {"samples", recorder.samples()},
      {"interval_seconds", static_cast<double>(options.interval.count()) / 1000},
      {"v2_countersets", recorder.v2_countersets()},
      {"problems", recorder.problems()}};
  return document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

// All samples, or those until somebody presses Ctrl-C or the source ends.
std::expected<void, std::string> record(capture::Recorder& recorder, const CaptureOptions& options,
                                        bool is_replay) {
  if (auto recorded = recorder.record_names(); !recorded) return recorded;
  const StopSignal stop;
  auto next = std::chrono::steady_clock::now();
  for (std::uint32_t i = 0; i < options.samples; ++i) {
    // A recording has its samples already, whenever they are asked for.
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
  std::cout << options.out << ": " << recorder.samples() << " samples, "
            << recorder.v2_countersets() << " V2 countersets, " << store.bytes() << " bytes\n";
  for (const std::string& problem : recorder.problems())
    std::cout << "  not in it: " << problem << '\n';
  if (options.scrub) {
    std::cout << "  " << scrubber.names()
              << " names of instances, the machine and its users were replaced, "
              << scrubber.leftovers() << " times outside of their places; look at it with\n";
  } else {
    std::cout << "  it names what this machine runs and is connected to; look at it with\n";
  }
  std::cout << "  winperf_exporter query --source replay:" << options.out << '\n';
}

}  // namespace

int capture_counters(const CaptureOptions& options) {
  if (!is_interval(options.interval)) return kExitUsage;
  const auto setup = open_setup(options.common);
  if (!setup) return setup.error();
  if (!setup->other_machines.empty()) {
    complain("a capture is of one machine, and " + options.common.source + " has counters of " +
             std::to_string(setup->other_machines.size() + 1));
    return kExitFailure;
  }
  const std::filesystem::path folder(std::u8string(options.out.begin(), options.out.end()));
  auto store = capture::Store::create(folder, options.max_bytes);
  if (!store) {
    complain(store.error());
    return kExitFailure;
  }
  // A recording is of another machine.
  const auto machine = setup->is_replay ? MachineDescription() : describe_this_machine();
  capture::Scrubber scrubber;
  for (const std::u16string& name : machine.names) scrubber.learn(name);
  capture::Recorder recorder(*setup->source, setup->perflib.get(), perflib_limits(setup->config),
                             queries_of(options), *store, options.scrub ? &scrubber : nullptr);
  auto recorded = record(recorder, options, setup->is_replay);
  if (const auto finished = recorder.finish(); !finished && recorded) recorded = finished;
  const bool complete = recorded.has_value();
  if (!complete) complain(recorded.error() + "; what was recorded before is kept");
  if (recorder.samples() == 0) {
    complain("nothing was recorded");
    for (const std::string& problem : recorder.problems()) complain(problem);
    return kExitFailure;
  }
  const std::string text = manifest(options, recorder, machine.system);
  auto stored = store->put(capture::kManifest, std::as_bytes(std::span(text)));
  if (stored || !complete) stored = store->finish();
  if (!stored) {
    complain(stored.error());
    return kExitFailure;
  }
  summarise(options, recorder, *store, scrubber);
  return complete ? kExitOk : kExitFailure;
}

}  // namespace winperf
