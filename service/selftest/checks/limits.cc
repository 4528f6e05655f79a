// What Windows gives the program's workers, and whether a restart gets its port while a client is
// connected: risks of docs/windows.md that a running program can see.
#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "service/selftest/check.h"
#include "service/selftest/program.h"
#include "service/selftest/running_server.h"
#include "service/selftest/worker_grants.h"

namespace winperf::selftest {
namespace {

using LimitsJson = nlohmann::ordered_json;

template <class Number>
LimitsJson limit_or_null(const std::optional<Number>& number) {
  return number ? LimitsJson(*number) : LimitsJson();
}

std::string whole_mebibytes(std::int64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

LimitsJson grants_of(const WorkerGrants& worker, CheckReport& report) {
  LimitsJson entry{{"worker", worker.worker}, {"failure", nullptr}};
  if (!worker.failure.empty()) {
    entry["failure"] = worker.failure;
    report.findings.push_back(
        {"the worker " + worker.worker + " did not start: " + worker.failure});
    return entry;
  }
  entry["start_ms"] = worker.start_took.count();
  entry["private_bytes"] = limit_or_null(worker.private_bytes);
  entry["shared_bytes"] = limit_or_null(worker.shared_bytes);
  for (const Grant& grant : worker.grants)
    entry["grants"].push_back({{"what", grant.what}, {"wanted", grant.wanted}, {"got", grant.got}});
  return entry;
}

// Each once, for all workers that have it.
void add_differences(const std::vector<WorkerGrants>& workers, CheckReport& report) {
  std::vector<std::pair<Grant, std::string>> all;
  for (const WorkerGrants& worker : workers) {
    for (const Grant& grant : worker.grants) {
      if (grant.got == grant.wanted) continue;
      const auto same = std::ranges::find(all, grant, &std::pair<Grant, std::string>::first);
      if (same == all.end())
        all.emplace_back(grant, worker.worker);
      else
        same->second += ", " + worker.worker;
    }
  }
  for (const auto& [grant, names] : all)
    report.findings.push_back(
        {.sentence = "workers have other limits than were asked for: " + grant.what,
         .details = {{"workers", names}, {"wanted", grant.wanted}, {"got", grant.got}}});
}

// The restart of a server whose port a client's connection may hold.
void add_restart(CheckRun& run, CheckReport& report) {
  run.tell("a restart while a client is connected");
  const auto first = RunningServer::start({.program = run.program, .folder = run.folder}, run.stop);
  if (!first) {
    report.findings.push_back({"no server starts: " + first.error()});
    return;
  }
  const std::string place = "127.0.0.1:" + std::to_string(first->port());
  httplib::Client client(first->origin());
  client.set_keep_alive(true);
  client.set_read_timeout(std::chrono::seconds(10));
  const bool was_connected = static_cast<bool>(client.Get("/-/healthy"));
  constexpr std::chrono::seconds kEnd{10};
  if (!first->end(kEnd)) first->program().kill();
  const auto begun = std::chrono::steady_clock::now();
  const auto second = RunningServer::start(
      {.program = run.program, .folder = run.folder, .listen = place}, run.stop);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - begun);
  report.data["restart"] = {{"client_was_connected", was_connected},
                            {"listens_again", second.has_value()},
                            {"took_ms", took.count()},
                            {"waited_for_the_port",
                             second && second->last_words().find("retrying") != std::string::npos}};
  if (second) {
    if (!second->end(kEnd)) second->program().kill();
    return;
  }
  report.findings.push_back({.sentence = "a restarted server does not get its port while a client "
                                         "of the previous one is connected: " +
                                         second.error(),
                             .details = {{"waited_ms", std::to_string(took.count())}}});
}

CheckReport check_limits(CheckRun& run) {
  run.tell("what workers are given");
  const auto grants = probe_grants(run.program, run.stop);
  CheckReport report;
  if (grants) add_grants(*grants, report);
  if (!run.stop.stop_requested()) add_restart(run, report);
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "it was stopped");
  if (!report.findings.empty()) {
    report.verdict = Verdict::kFindings;
    report.summary = "this system differs from what was asked of it";
  } else if (!grants) {
    report.verdict = Verdict::kAbsent;
    report.summary = "jobs, tokens and mitigation policies exist only on Windows";
  } else {
    report.summary = "workers have all limits, and a restart gets its port";
  }
  return report;
}

}  // namespace

bool counts_reserved(const MachineGrants& grants) {
  const auto reserved = static_cast<std::int64_t>(grants.reserved_bytes);
  return reserved != 0 && grants.commit_bytes && *grants.commit_bytes >= reserved;
}

void add_grants(const MachineGrants& grants, CheckReport& report) {
  for (const WorkerGrants& worker : grants.workers)
    report.data["workers"].push_back(grants_of(worker, report));
  add_differences(grants.workers, report);
  report.data["reserved_bytes"] = grants.reserved_bytes;
  report.data["commit_bytes"] = limit_or_null(grants.commit_bytes);
  for (const auto& [name, value] : grants.code_pages) report.data["code_pages"][name] = value;
  if (!counts_reserved(grants)) return;
  report.findings.push_back(
      {.sentence = "memory that workers only reserve counts against the machine's commit limit",
       .details = {{"reserved", whole_mebibytes(static_cast<std::int64_t>(grants.reserved_bytes))},
                   {"rise", whole_mebibytes(*grants.commit_bytes)}}});
}

SelfCheck limits_check() {
  return {.id = "limits",
          .title = "Worker limits",
          .does =
              "starts workers and compares what Windows gives them with what was asked for, and "
              "restarts a server while a client is connected",
          .takes = std::chrono::seconds(20),
          .run = check_limits};
}

}  // namespace winperf::selftest
