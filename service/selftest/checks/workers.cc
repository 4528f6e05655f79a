// What becomes of the workers when a provider in them crashes, hangs or takes too much, and when
// another program ends them.
#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <system_error>

#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/hosting/hosted_source.h"
#include "collectors/worker/worker_source.h"
#include "service/selftest/check.h"
#include "service/selftest/metrics_page.h"
#include "service/selftest/page_client.h"
#include "service/selftest/processes.h"
#include "service/selftest/running_server.h"
#include "service/selftest/steps.h"
#include "service/selftest/trial_provider.h"

namespace winperf::selftest {
namespace {

using trial::Harm;
using WorkerJson = nlohmann::ordered_json;

constexpr std::chrono::milliseconds kHangDeadline{5'000};
constexpr std::chrono::milliseconds kCallDeadline{60'000};  // only for a machine that stands still
constexpr unsigned kQuickCalls = 4;                         // more than it takes to exceed a limit

// Low, so that little has to be taken, and above what a worker needs.
worker::WorkerLimits trial_limits(Harm harm) {
  const auto deadline = harm == Harm::kHang ? kHangDeadline : kCallDeadline;
  return {.shortest_timeout = deadline,
          .longest_timeout = deadline,
          .max_reply_bytes = std::size_t{1} << 20,
          .max_private_bytes = std::uint64_t{256} << 20,
          .max_handles = 700,
          .max_threads = 60};
}

worker::WorkerOptions trial_options(const std::filesystem::path& program, Harm harm) {
  worker::WorkerOptions options;
  options.name = kTrialWorker + trial_service(harm);
  options.executable = program;
  options.words = {"worker"};
  options.limits = trial_limits(harm);
  options.waits_for_start = true;
  return options;
}

Harm harm_of(const ProviderRegistration& provider) {
  for (std::uint32_t i = 0; i < trial::kHarms; ++i)
    if (provider.service == trial_service(static_cast<Harm>(i))) return static_cast<Harm>(i);
  return Harm::kNone;
}

// The trial providers, each in a worker of its own.
std::unique_ptr<HostedSource> trial_source(const std::filesystem::path& program) {
  HostedSource::Processes make{
      .host =
          [program](const ProviderRegistration* provider) {
            const Harm harm = provider == nullptr ? Harm::kNone : harm_of(*provider);
            return std::make_unique<ProviderHost>("provider \"" + trial_service(harm) + '"',
                                                  trial_options(program, harm), true);
          },
      .shared =
          [program] {
            return std::make_unique<SharedProviders>(trial_options(program, Harm::kNone));
          }};
  return std::make_unique<HostedSource>(
      std::make_unique<worker::WorkerSource>(nullptr, trial_options(program, Harm::kNone)),
      trial_machine(program.parent_path(), nullptr), Isolation::kHosts, std::move(make));
}

// What should become of a worker in which this happens. Nothing: it goes on.
struct WantedEnd {
  Harm harm{};
  std::optional<WorkerEnd> end;
  bool is_of_limit = false;  // the call itself succeeds
};
constexpr WantedEnd kWantedEnds[] = {
    {.harm = Harm::kCrash, .end = WorkerEnd::kCrashed},
    {.harm = Harm::kExit, .end = WorkerEnd::kExited},
    {.harm = Harm::kHang, .end = WorkerEnd::kTimedOut},
    {.harm = Harm::kOverrun, .end = WorkerEnd::kCrashed},  // the room ends at a page without access
    {.harm = Harm::kLie, .end = std::nullopt},
};
// All at once, because each takes some seconds.
constexpr WantedEnd kWantedLimits[] = {
    {.harm = Harm::kMemory, .end = WorkerEnd::kMemory, .is_of_limit = true},
    {.harm = Harm::kHandles, .end = WorkerEnd::kHandles, .is_of_limit = true},
    {.harm = Harm::kThreads, .end = WorkerEnd::kThreads, .is_of_limit = true},
};

WorkerState state_of(HostedSource& source, Harm harm) {
  for (WorkerView* const view : source.workers())
    if (view->state().name == kTrialWorker + trial_service(harm)) return view->state();
  return {};
}

std::string describe_worker(const WorkerState& state) {
  std::string text = std::to_string(state.starts) + " starts";
  for (std::size_t i = 0; i < kWorkerEndCount; ++i)
    if (state.ends.at(i) != 0)
      text += ", " + std::to_string(state.ends.at(i)) + ' ' +
              std::string(name_of(static_cast<WorkerEnd>(i)));
  return text + (state.process_id == 0 ? ", none runs" : ", one runs");
}

// What was seen of one harm.
struct HarmSeen {
  WantedEnd wanted{};
  unsigned calls = 0;
  unsigned others = 0;  // calls in which the provider beside it answered
  WorkerState state{};
  std::string error{};  // of its object, the first one

  bool has_ended() const {
    return wanted.end && state.ends.at(static_cast<std::size_t>(*wanted.end)) != 0;
  }
  bool is_over() const { return has_ended() || (!wanted.end && calls != 0); }
};

void note_answer(HarmSeen& seen, HostedSource& source, const std::expected<Reply, Error>& reply) {
  const ObjectIndex harmful{trial::index_of(seen.wanted.harm)};
  ++seen.calls;
  if (reply && reply->blocks.has_values_of(ObjectIndex{trial::index_of(Harm::kNone)}))
    ++seen.others;
  if (!reply && seen.error.empty()) seen.error = describe(reply.error());
  if (reply)
    for (const MissingObject& missing : reply->missing)
      if (missing.object == harmful && seen.error.empty()) seen.error = describe(missing.reason);
  seen.state = state_of(source, seen.wanted.harm);
}

// Asks for their objects and that of the harmless provider until their workers have ended for the
// wanted reasons. What a worker takes is checked some seconds after the call that took it.
std::vector<HarmSeen> do_harm(HostedSource& source, std::span<const WantedEnd> wanted,
                              const StopToken& stop) {
  std::string objects = std::to_string(trial::index_of(Harm::kNone));
  std::vector<HarmSeen> all;
  for (const WantedEnd& each : wanted) {
    all.push_back({.wanted = each});
    objects += ' ' + std::to_string(trial::index_of(each.harm));
  }
  const auto until = std::chrono::steady_clock::now() + kCallDeadline;
  for (unsigned calls = 1; !stop.stop_requested(); ++calls) {
    const auto reply = source.query(objects, stop);
    for (HarmSeen& seen : all)
      if (!seen.is_over()) note_answer(seen, source, reply);
    if (std::ranges::all_of(all, &HarmSeen::is_over) || std::chrono::steady_clock::now() >= until)
      break;
    if (calls >= kQuickCalls)
      pause_until(std::chrono::steady_clock::now() + std::chrono::seconds(1), stop);
  }
  return all;
}

void judge_harm(Steps& steps, HostedSource& source, const HarmSeen& seen) {
  const WantedEnd& wanted = seen.wanted;
  const std::string word = word_of(wanted.harm);
  WorkerJson& data = steps.data()["harms"][word];
  data = {{"calls", seen.calls},
          {"starts", seen.state.starts},
          {"error", seen.error},
          {"worker", describe_worker(seen.state)}};
  for (const ProviderState& provider : source.provider_states())
    if (provider.provider == trial_service(wanted.harm)) data["harm"] = provider.last_harm;
  steps.expect(seen.others == seen.calls,
               "a provider is not read because another one has this fault: " + word,
               std::to_string(seen.calls) + " answers", std::to_string(seen.others));
  if (!wanted.end) {
    steps.expect(lost_processes(seen.state) == 0 && !seen.error.empty(),
                 "a wrong result of a provider is not refused, or costs a worker",
                 "an error, and no worker is lost",
                 describe_worker(seen.state) + "; error: " + seen.error);
    return;
  }
  steps.expect(seen.has_ended(), "a worker does not end as it should: " + word,
               std::string(name_of(*wanted.end)), describe_worker(seen.state));
  steps.expect(!seen.has_ended() || seen.state.starts >= 2,
               "a worker that has ended is not replaced: " + word, "another start",
               describe_worker(seen.state));
  steps.expect(wanted.is_of_limit || seen.error.contains(trial_service(wanted.harm)),
               "the error does not name the provider: " + word, trial_service(wanted.harm),
               seen.error);
}

void try_harm(Steps& steps, HostedSource& source, std::span<const WantedEnd> wanted) {
  steps.begin("a provider does harm: " + word_of(wanted.front().harm));
  const auto all = do_harm(source, wanted, steps.run().stop);
  if (steps.is_stopped()) return;
  for (const HarmSeen& seen : all) judge_harm(steps, source, seen);
}

// Why the trial provider isn't tried.
std::optional<std::string> why_no_harm(const CheckRun& run) {
  const std::filesystem::path library = run.program.parent_path() / kTrialLibrary;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(library, failed))
    return std::string(kTrialLibrary) + " is not beside the program";
  return why_untrusted(run, library);
}

// Why it can't be read; empty: it can.
std::string why_unreadable_trial(HostedSource& source, const StopToken& stop) {
  const ObjectIndex harmless{trial::index_of(Harm::kNone)};
  const auto reply = source.query(std::to_string(value_of(harmless)), stop);
  if (!reply) return describe(reply.error());
  if (!reply->missing.empty()) return describe(reply->missing.front().reason);
  return reply->blocks.has_values_of(harmless) ? "" : "its reply has no object";
}

void try_harms(Steps& steps) {
  steps.begin("the trial provider");
  CheckRun& run = steps.run();
  const auto source = trial_source(run.program);
  const std::string why = why_unreadable_trial(*source, run.stop);
  steps.data()["trial_provider"] = why.empty() ? "loaded" : why;
  if (!why.empty()) return steps.fail("the trial provider cannot be read", why);
  for (const WantedEnd& wanted : kWantedEnds) {
    if (steps.is_stopped()) break;
    try_harm(steps, *source, {&wanted, 1});
  }
  if (!steps.is_stopped()) try_harm(steps, *source, kWantedLimits);
}

// Workers of a running server.

constexpr std::chrono::minutes kReplacement{3};
constexpr std::chrono::milliseconds kWorkerLook{200};

// What the server says of its workers: name and process, of those that have one. Nothing: it
// doesn't say it.
using WorkerProcesses = std::map<std::string, std::uint32_t>;
std::optional<WorkerProcesses> workers_of(const RunningServer& server) {
  WorkerProcesses workers;
  const auto answer = ask_page({.origin = server.origin(), .path = "/api/v1/workers"});
  if (!answer) return std::nullopt;
  const auto json = nlohmann::json::parse(answer->body, nullptr, false);
  const auto list = json.is_object() ? json.find("workers") : json.end();
  if (!json.is_object() || list == json.end() || !list->is_array()) return std::nullopt;
  for (const auto& worker : *list) {
    if (!worker.is_object() || !worker.contains("worker") || !worker.contains("process_id"))
      continue;
    const auto& id = worker["process_id"];
    if (worker["worker"].is_string() && id.is_number_unsigned())
      workers[worker["worker"].get<std::string>()] = id.get<std::uint32_t>();
  }
  return workers;
}

// A page of the server. Nothing is known of it if it doesn't answer.
MetricsPage worker_page(const RunningServer& server) {
  const auto answer = ask_page({.origin = server.origin()});
  return {answer ? answer->body : std::string(), false};
}

constexpr char kGoodCounterset[] = "winperf_exporter_counterset_success";
constexpr char kAttempts[] = "winperf_exporter_counterset_attempts_total";
constexpr char kGoodTopic[] = "winperf_exporter_facts_success";

double restarts_of(const MetricsPage& page, const std::string& worker) {
  return page.sum("winperf_exporter_worker_restarts_total", "worker=\"" + worker + '"').value_or(0);
}

// What was read before the workers ended, and isn't since then: labels of countersets and topics.
// The first attempt may have begun before, so that the second one counts.
std::vector<std::string> not_read_again(const MetricsPage& before, const MetricsPage& now) {
  std::vector<std::string> missing;
  for (const auto& [labels, success] : before.all(kGoodCounterset)) {
    const bool is_new =
        now.value(kAttempts, labels).value_or(0) >= before.value(kAttempts, labels).value_or(0) + 2;
    if (success == 1 && (!is_new || now.value(kGoodCounterset, labels) != 1))
      missing.push_back(labels);
  }
  for (const auto& [labels, success] : before.all(kGoodTopic))
    if (success == 1 && now.value(kGoodTopic, labels) != 1) missing.push_back(labels);
  return missing;
}

// What was seen after the workers ended. One that isn't there any more need not be replaced: where
// the server parts the providers, because a query was lost or slow, others read what it read.
struct WorkersSeen {
  const WorkerProcesses& ended;
  MetricsPage before;
  std::optional<WorkerProcesses> workers{};
  MetricsPage page{"", false};

  bool is_counted(const std::string& name) const {
    return restarts_of(page, name) > restarts_of(before, name);
  }
  bool is_still_old(const std::string& name) const {
    const auto now = workers ? workers->find(name) : WorkerProcesses::const_iterator();
    return !workers || (now != workers->end() && now->second == ended.at(name));
  }
  bool is_over() const {
    return not_read_again(before, page).empty() &&
           std::ranges::all_of(ended, [&](const auto& worker) {
             return is_counted(worker.first) && !is_still_old(worker.first);
           });
  }
};

void judge_replacement(Steps& steps, const WorkersSeen& seen) {
  for (const auto& [name, id] : seen.ended) {
    steps.expect(!seen.is_still_old(name), "a worker that was ended is not replaced: " + name,
                 "another process than " + std::to_string(id) + ", or none",
                 seen.workers ? "the same process" : "no answer of /api/v1/workers");
    steps.expect(seen.is_counted(name),
                 "winperf_exporter_worker_restarts_total does not count it: " + name,
                 "more than " + std::to_string(restarts_of(seen.before, name)),
                 std::to_string(restarts_of(seen.page, name)));
  }
  const std::vector<std::string> missing = not_read_again(seen.before, seen.page);
  std::string text;
  for (const std::string& labels : missing) text += (text.empty() ? "" : ", ") + labels;
  steps.expect(missing.empty(), "what workers read does not come back after they ended",
               "all that was read before", "without " + text);
}

// Ends the workers, and waits until what they read is read again, and their ends are counted.
void end_workers(Steps& steps, const RunningServer& server, WorkerProcesses workers) {
  const StopToken& stop = steps.run().stop;
  MetricsPage before = worker_page(server);
  steps.expect(!before.all(kGoodCounterset).empty(), "the server's page has no countersets",
               kGoodCounterset, "none");
  // One that the server has ended itself in the meantime isn't counted.
  std::erase_if(workers, [&](const auto& worker) {
    const auto& [name, id] = worker;
    if (end_process(id)) return false;
    steps.expect(!facts_of(id), "a worker cannot be ended from outside: " + name,
                 "process " + std::to_string(id) + " ends", "it is refused");
    return true;
  });
  steps.data()["ended_from_outside"] = workers.size();
  const auto until = std::chrono::steady_clock::now() + kReplacement;
  WorkersSeen seen{.ended = workers, .before = std::move(before)};
  do {
    pause_until(std::chrono::steady_clock::now() + kWorkerLook, stop);
    seen.workers = workers_of(server);
    seen.page = worker_page(server);
  } while (std::chrono::steady_clock::now() < until && !stop.stop_requested() && !seen.is_over());
  if (!steps.is_stopped()) judge_replacement(steps, seen);
}

void try_kills(Steps& steps) {
  steps.begin("workers that are ended from outside");
  CheckRun& run = steps.run();
  const std::filesystem::path file = run.folder / "workers.yaml";
  const std::string config = std::string("interval: 2s\n") + kCheckSettings;
  if (!write_whole_file(file, std::as_bytes(std::span(config))))
    return steps.fail("a file of the check could not be written", path_text(file));
  const auto server = RunningServer::start(
      {.program = run.program, .folder = run.folder, .config = file}, run.stop);
  if (!server) return steps.fail("the server does not start", server.error());
  if (const auto ready = server->await_ready(kCallDeadline, run.stop); !ready)
    return steps.fail("the server does not become ready", ready.error());
  WorkerProcesses workers = workers_of(*server).value_or(WorkerProcesses());
  std::set<std::uint32_t> children;
  for (const ProcessFacts& child : children_of(server->program().id())) children.insert(child.id);
  // Only what the server says and the system confirms is ended.
  std::erase_if(workers, [&](const auto& worker) { return !children.contains(worker.second); });
  if (!steps.expect(!workers.empty(), "the server has no worker that is its child",
                    "processes of /api/v1/workers among its children",
                    std::to_string(children.size()) + " children"))
    return;
  end_workers(steps, *server, std::move(workers));
  (void)server->end(kCallDeadline);  // how it ends is judged by the check of the server
}

CheckReport check_workers(CheckRun& run) {
  Steps steps(run);
  const auto without = why_no_harm(run);
  if (without)
    steps.data()["trial_provider"] = *without;
  else
    try_harms(steps);
  if (!steps.is_stopped()) try_kills(steps);
  CheckReport report = steps.end("workers");
  if (without && report.verdict == Verdict::kPassed)
    report.summary += "; without providers that do harm, because " + *without;
  return report;
}

}  // namespace

SelfCheck workers_check() {
  return {.id = "workers",
          .title = "Worker recovery",
          .does =
              "has a trial provider crash, hang and take too much in workers, and ends "
              "workers of a running server",
          .takes = std::chrono::seconds(60),
          .run = check_workers};
}

}  // namespace winperf::selftest
