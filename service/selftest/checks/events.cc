// Whether the event log shows the texts of what a service wrote there.
#include <algorithm>
#include <string>

#include "service/selftest/check.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/rendered_events.h"
#include "service/selftest/service_trial.h"

namespace winperf::selftest {
namespace {

// The events of each run of the service: their names in the log file, and their ids.
struct EventPair {
  std::string_view name;
  std::uint32_t id;
  bool has_message;  // the text contains that of the log file
};
constexpr EventPair kExpectedEvents[] = {
    {"started", 1, true}, {"stopping", 4, false}, {"stopped", 2, false}};

constexpr std::chrono::seconds kUntilWritten{30};

std::vector<RenderedEvent> events_of(const CheckRun& run, const std::string& query) {
  const auto end = run_program({.program = system_program("wevtutil.exe"),
                                .words = {"qe", "Application", query, "/f:RenderedXml", "/c:200"},
                                .folder = run.folder},
                               run.stop);
  return end ? rendered_events(end->output) : std::vector<RenderedEvent>();
}

void compare_event(const EventPair& pair, ServiceTrial& trial,
                   const std::vector<RenderedEvent>& shown) {
  const std::string event =
      "event " + std::to_string(pair.id) + " (" + std::string(pair.name) + ')';
  const auto found = std::ranges::find(shown, pair.id, &RenderedEvent::id);
  if (found == shown.end())
    return trial.found("the event log does not have " + event, "source " + trial.name());
  if (!found->message)
    return trial.found("Windows has no description for " + event, "source " + trial.name());
  const auto log = trial.log();
  const auto logged = std::ranges::find(log, pair.name, &LoggedEvent::name);
  if (pair.has_message && logged != log.end() && !found->message->contains(logged->message))
    trial.found("the event log has another text for " + event,
                "log file: " + logged->message + "; event log: " + *found->message);
}

void compare_events(CheckRun& run, ServiceTrial& trial, CheckReport& report) {
  run.tell("reading the event log");
  std::vector<RenderedEvent> shown;
  // The event log's service writes a moment later.
  wait_until_it_holds(run.stop, kUntilWritten, [&] {
    shown = events_of(run, "/q:*[System[Provider[@Name='" + trial.name() + "']]]");
    return std::ranges::all_of(kExpectedEvents, [&](const EventPair& pair) {
      return std::ranges::find(shown, pair.id, &RenderedEvent::id) != shown.end();
    });
  });
  if (run.stop.stop_requested()) return;
  for (const EventPair& pair : kExpectedEvents) compare_event(pair, trial, shown);
  for (const RenderedEvent& event : shown)
    report.data["events"].push_back(
        {{"id", event.id},
         {"message", event.message ? nlohmann::ordered_json(*event.message) : nullptr}});
}

CheckReport try_events(CheckRun& run) {
  if (system_program("wevtutil.exe").empty())
    return report_of(Verdict::kAbsent, "this system has no event log");
  run.tell("asking for any event");
  if (events_of(run, "/rd:true").empty())
    return report_of(run.stop.stop_requested() ? Verdict::kBroken : Verdict::kAbsent,
                     "wevtutil shows no event of the log Application at all");
  CheckReport report;
  ServiceTrial trial(run, report);
  if (trial.install() && trial.start() && trial.stop()) compare_events(run, trial, report);
  trial.remove();
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "the selftest was stopped");
  conclude(report, "the events of a service, with their texts");
  return report;
}

}  // namespace

SelfCheck events_check() {
  return {
      .id = "events",
      .title = "Event log texts",
      .does = "lets a service run for a moment, and reads back from the event log what it wrote",
      .changes =
          "a service winperf_exporter_selftest_... as in the check service; its events "
          "stay in the log",
      .needs_administrator = true,
      .takes = std::chrono::seconds(30),
      .run = try_events};
}

}  // namespace winperf::selftest
