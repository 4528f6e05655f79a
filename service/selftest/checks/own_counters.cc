// The exporter's own counters: registered, read by other programs, and gone afterwards.
#include <algorithm>
#include <string>

#include "service/selftest/check.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/counter_lines.h"
#include "service/selftest/machine.h"
#include "service/selftest/service_trial.h"

namespace winperf::selftest {
namespace {

constexpr std::chrono::seconds kUntilPublished{60};
// Of the object winperf_exporter, without the bases.
constexpr std::size_t kFewestCounters = 20;

// As Windows' own tool reads them, by PDH.
void expect_in_typeperf(CheckRun& run, ServiceTrial& trial, const std::string& road) {
  const std::filesystem::path program = system_program("typeperf.exe");
  if (program.empty() || !std::filesystem::exists(program))
    return trial.found("this system has no typeperf", "the counters were not read by PDH");
  run.tell("reading them with typeperf");
  std::string last;
  const bool is_shown = wait_until_it_holds(run.stop, kUntilPublished, [&] {
    const auto end = run_program({.program = program,
                                  .words = {"\\winperf_exporter\\*", "-sc", "2", "-si", "1"},
                                  .folder = run.folder},
                                 run.stop);
    last = end ? describe(*end) + '\n' + end->output : end.error();
    if (!end) return false;
    const CounterLines lines = counter_lines(end->output);
    return lines.counters >= kFewestCounters && lines.values > 0;
  });
  if (!is_shown && !run.stop.stop_requested())
    trial.found("typeperf does not show the counters of " + road, last);
}

// As this program reads them.
void expect_in_query(CheckRun& run, ServiceTrial& trial, const std::string& road) {
  run.tell("reading them with query");
  const auto end = run_program({.program = trial.executable(),
                                .words = {"query", "winperf_exporter", "--format", "json"},
                                .folder = run.folder},
                               run.stop);
  if (run.stop.stop_requested() ||
      (end && end->exit_code == 0 && end->output.contains("State Number")))
    return;
  trial.found("\"query winperf_exporter\" does not show the counters of " + road,
              end ? describe(*end) : end.error());
}

// As PDH reads them, beside what this program reads at the same moment.
void expect_in_pdh(CheckRun& run, ServiceTrial& trial, const std::string& road) {
  constexpr std::chrono::seconds kLongestComparison{120};
  run.tell("comparing them with PDH's");
  const auto answer = ask_program(
      run, {"verify", "winperf_exporter", "--with", "pdh", "--format", "json"}, kLongestComparison);
  if (run.stop.stop_requested()) return;
  if (!answer)
    return trial.found("PDH does not show the counters of " + road, answer.error().sentence);
  for (const nlohmann::json& counterset : list_of(answer->document, "countersets")) {
    const std::string error = selftest::text_of(counterset, "pdh_error");
    if (!error.empty()) trial.found("PDH does not show the counters of " + road, error);
    for (const nlohmann::json& difference : list_of(counterset, "differences"))
      trial.found(
          "PDH has something else for " + selftest::text_of(difference, "counter") + " of " + road,
          selftest::text_of(difference, "difference"));
  }
}

void try_road(CheckRun& run, CheckReport& report, const std::string& road) {
  ServiceTrial trial(run, report, ChangeKind::kOwnService);
  trial.config["own_counters"] = road;
  if (trial.install({"--counters", road}) && trial.start()) {
    const std::string got = selftest::text_of(trial.status(), "own_counters");
    report.data[road] = got;
    if (got == road) {
      expect_in_pdh(run, trial, road);
      expect_in_typeperf(run, trial, road);
      expect_in_query(run, trial, road);
    } else {
      trial.found("the counters are not registered as " + road,
                  "\"service status\" says " + (got.empty() ? "nothing" : got));
    }
    if (!run.stop.stop_requested()) trial.stop();
  }
  trial.remove();
}

CheckReport try_own_counters(CheckRun& run) {
  if (system_program("lodctr.exe").empty())
    return report_of(Verdict::kAbsent, "this system has no registration of counters");
  if (const auto why = why_not_alone(machine_traces(), false))
    return report_of(Verdict::kSkipped, *why);
  std::error_code unknown;
  if (!std::filesystem::exists(run.program.parent_path() / "winperf_exporter_perf.dll", unknown))
    return report_of(Verdict::kSkipped,
                     "winperf_exporter_perf.dll and its files are not beside the program");
  for (const char* const name : kBesideProgram)
    if (const auto why = why_untrusted(run, run.program.parent_path() / name))
      return report_of(Verdict::kSkipped, *why);
  CheckReport report;
  for (const char* const road : {"v1", "v2"})
    if (!run.stop.stop_requested()) try_road(run, report, road);
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "the selftest was stopped");
  conclude(report, "registered in both ways, read and removed");
  return report;
}

}  // namespace

SelfCheck own_counters_check() {
  return {.id = "own_counters",
          .title = "Own counters",
          .does =
              "registers them with the service winperf_exporter, reads them with typeperf and "
              "query, and removes them; only where that service is not installed",
          .changes =
              "the service winperf_exporter, which runs from the selftest's folder and "
              "listens on a port of this machine alone, and Windows' registration of its "
              "counters",
          .needs_administrator = true,
          .takes = std::chrono::seconds(60),
          .run = try_own_counters};
}

}  // namespace winperf::selftest
