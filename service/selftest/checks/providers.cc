// Providers, one by one, and what the doctor says about the machine.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/wording.h"
#include "service/selftest/command_answer.h"

namespace winperf::selftest {
namespace {

// The program gives each provider its own deadline; these are for the program.
constexpr std::chrono::minutes kTrialDeadline{15};
constexpr std::chrono::minutes kDoctorDeadline{10};

// docs/providers.md has the states. That one is switched off is somebody's decision.
bool works(const std::string& state) { return state == "works" || state == "registered"; }
bool is_switched_off(const std::string& state) {
  return state == "disabled" || state == "left out";
}

void judge_providers(const nlohmann::json& document, CheckReport& report) {
  std::size_t tried = 0;
  std::size_t failed = 0;
  constexpr double kMilliseconds = 1'000;
  auto first_queries = nlohmann::ordered_json::object();
  for (const nlohmann::json& provider : list_of(document, "providers")) {
    const std::string name = text_of(provider, "name");
    const std::string state = text_of(provider, "state");
    tried += member_of(provider, "tried") == true;
    if (const auto& seconds = member_of(provider, "first_query_seconds"); seconds.is_number())
      first_queries[name] = std::round(seconds.get<double>() * kMilliseconds) / kMilliseconds;
    const std::string error = text_of(provider, "error");
    if (error.empty() && works(state)) continue;
    ++failed;
    if (is_switched_off(state)) continue;
    add_finding(report,
                {.sentence = "the provider " + name + (error.empty() ? " is " + state : " failed"),
                 .details = {{"state", state},
                             {"error", error},
                             {"library", text_of(provider, "library_path")},
                             {"version", text_of(provider, "version")},
                             {"architecture", text_of(provider, "architecture")}}});
  }
  report.data["providers"] = {{"registered", list_of(document, "providers").size()},
                              {"tried", tried},
                              {"not working", failed},
                              {"seconds of the first query", std::move(first_queries)}};
}

std::string repair_of(const nlohmann::json& problem) {
  std::string text;
  for (const nlohmann::json& step : list_of(problem, "repair")) {
    if (!text.empty()) text += "; ";
    // docs/doctor.md explains the commands.
    const std::string command = text_of(step, "command");
    text += command.empty() ? text_of(step, "text") : command;
  }
  return text;
}

// Nothing runs yet on the machine of a selftest, which isn't wrong.
bool is_about_running(const std::string& reason) { return reason == "exporter_not_running"; }

// A problem of one or more countersets or other things.
struct DoctorsProblem {
  std::string sentence{};  // without what names one of them, which groups them
  Finding finding{};       // of the first one
  std::vector<std::string> about{};
};

// "the table has gaps" of "the table has gaps; "Memory" is not in it".
std::string without_name(const std::string& sentence, const std::string& name) {
  constexpr std::string_view kBetween = "; ";
  std::string kept;
  for (std::size_t at = 0; at < sentence.size();) {
    const std::size_t end = std::min(sentence.find(kBetween, at), sentence.size());
    const std::string part = sentence.substr(at, end - at);
    if (!part.contains('"' + name + '"')) kept += (kept.empty() ? "" : "; ") + part;
    at = end + kBetween.size();
  }
  return kept.empty() ? sentence : kept;
}

void judge_problem(const std::string& about, const std::string& status,
                   const nlohmann::json& problem, std::vector<DoctorsProblem>& problems) {
  const std::string reason = text_of(problem, "reason");
  if ((status != "failed" && status != "warning") || is_about_running(reason)) return;
  const std::string sentence = text_of(problem, "sentence");
  Finding finding{.sentence = about + ": " + sentence, .details = {{"reason", reason}}};
  if (const std::string repair = repair_of(problem); !repair.empty())
    finding.details.emplace_back("repair", repair);
  std::string evidence;
  for (const nlohmann::json& line : list_of(problem, "evidence"))
    if (line.is_string()) evidence += (evidence.empty() ? "" : "; ") + line.get<std::string>();
  if (!evidence.empty()) finding.details.emplace_back("evidence", evidence);
  const std::string common = without_name(sentence, about);
  const auto same = std::ranges::find_if(problems, [&](const DoctorsProblem& other) {
    return other.sentence == common && other.finding.details == finding.details;
  });
  if (same != problems.end())
    same->about.push_back(about);
  else
    problems.push_back({.sentence = common, .finding = std::move(finding), .about = {about}});
}

// Equal ones are one finding, which lists what they are about.
void add_problems(const char* list, std::vector<DoctorsProblem> problems, CheckReport& report) {
  constexpr std::size_t kNamed = 3;
  for (DoctorsProblem& problem : problems) {
    if (problem.about.size() > 1) {
      problem.finding.sentence = joined(problem.about, ", ", kNamed) + ": " + problem.sentence;
      problem.finding.details.insert(problem.finding.details.begin(),
                                     {list, joined(problem.about, ", ")});
    }
    add_finding(report, std::move(problem.finding));
  }
}

void judge_diagnosis(const nlohmann::json& document, CheckReport& report) {
  constexpr std::array<const char*, 2> kLists{"countersets", "checks"};
  for (const char* const list : kLists) {
    std::vector<DoctorsProblem> problems;
    for (const nlohmann::json& entry : list_of(document, list)) {
      std::string about = text_of(entry, "name");
      if (const std::string subject = text_of(entry, "subject"); !subject.empty())
        about += ' ' + subject;
      judge_problem(about, text_of(entry, "status"), entry, problems);
      for (const nlohmann::json& other : list_of(entry, "also"))
        judge_problem(about, text_of(other, "severity"), other, problems);
    }
    add_problems(list, std::move(problems), report);
  }
  report.data["doctor"] = member_of(document, "summary");
}

CheckReport try_providers(CheckRun& run) {
  CheckReport report;
  run.tell("loading each provider");
  const auto providers =
      ask_program(run, {"providers", "--try", "--format", "json"}, kTrialDeadline);
  if (providers)
    judge_providers(providers->document, report);
  else
    add_finding(report, {.sentence = providers.error().sentence});
  run.tell("asking the doctor");
  const auto diagnosis = ask_program(run, {"doctor", "--format", "json"}, kDoctorDeadline);
  if (diagnosis)
    judge_diagnosis(diagnosis->document, report);
  else
    add_finding(report, {.sentence = diagnosis.error().sentence});
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "the selftest was stopped");
  conclude(report, providers
                       ? counted(list_of(providers->document, "providers").size(), "V1 provider")
                       : "the providers could not be tried");
  return report;
}

}  // namespace

SelfCheck providers_check() {
  return {.id = "providers",
          .title = "Counter providers",
          .does =
              "loads each V1 provider in a separate process, and asks the doctor about this "
              "machine's counters",
          .takes = std::chrono::seconds(40),
          .run = try_providers};
}

}  // namespace winperf::selftest
