// Both paths to every counterset, and the hosts of V1 providers.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "collectors/base/wording.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/shown_names.h"

namespace winperf::selftest {
namespace {

constexpr std::chrono::minutes kListDeadline{5};
constexpr std::chrono::minutes kQueryDeadline{10};
constexpr std::chrono::minutes kVerifyDeadline{15};
// Where a whole call is lost, for each counterset, and for all of them.
constexpr std::chrono::minutes kOneDeadline{2};
constexpr std::chrono::minutes kOneByOneDeadline{20};

struct KnownCounterset {
  std::string name;
  bool is_v2 = false;
  bool has_values = false;  // one instance at least was there
};

struct PathsRun {
  CheckRun& run;
  CheckReport report{};
  ShownNames names;
  std::vector<KnownCounterset> countersets{};
};

bool list_countersets(PathsRun& paths) {
  const auto list =
      ask_program(paths.run, {"list", "--instances", "--format", "json"}, kListDeadline);
  if (!list) {
    add_finding(paths.report, {.sentence = list.error().sentence});
    return false;
  }
  std::size_t v2 = 0;
  for (const nlohmann::json& counterset : list_of(list->document, "countersets")) {
    const auto& instances = list_of(counterset, "instance_names");
    const bool is_single = member_of(counterset, "multi_instance") == false;
    paths.countersets.push_back({.name = text_of(counterset, "name"),
                                 .is_v2 = text_of(counterset, "path") == "perflib",
                                 .has_values = is_single || !instances.empty()});
    v2 += paths.countersets.back().is_v2;
    for (const nlohmann::json& instance : instances)
      if (instance.is_string()) paths.names.shown(instance.get<std::string>());
  }
  paths.report.data["countersets"] = {{"V2", v2}, {"V1", paths.countersets.size() - v2}};
  if (paths.countersets.empty())
    add_finding(paths.report, {.sentence = "this machine has no countersets at all"});
  return true;
}

// What was read in a query, and what of it had no number.
struct ReadValues {
  std::set<std::string> objects{};
  std::size_t values = 0;
  std::map<std::string, std::size_t> reasons{};
};

void note_values(const nlohmann::json& document, ReadValues& read) {
  for (const nlohmann::json& value : list_of(document, "values")) {
    ++read.values;
    read.objects.insert(text_of(value, "object"));
    if (const std::string reason = text_of(value, "reason"); !reason.empty())
      ++read.reasons[reason];
  }
}

// The lines of a command's complaints that name the counterset.
std::string said_about(const std::string& counterset, const std::string& said) {
  std::string about;
  for (std::size_t at = 0; at < said.size();) {
    const std::size_t end = std::min(said.find('\n', at), said.size());
    const std::string line = said.substr(at, end - at);
    if (line.find(counterset) != std::string::npos) about += (about.empty() ? "" : "; ") + line;
    at = end + 1;
  }
  return about;
}

// Calls `ask` for each name until the time for all of them is over. It returns false for a refusal:
// if the first one is refused, so are all.
template <class Ask>
void ask_one_by_one(PathsRun& paths, const std::vector<std::string>& names, const std::string& what,
                    const Ask& ask) {
  const auto end = std::chrono::steady_clock::now() + kOneByOneDeadline;
  for (std::size_t i = 0; i < names.size() && !paths.run.stop.stop_requested(); ++i) {
    if (std::chrono::steady_clock::now() >= end) {
      add_finding(paths.report, {.sentence = what + ": there was no time for " +
                                             counted(names.size() - i, "counterset")});
      return;
    }
    paths.run.tell(what + ": " + names[i]);
    if (!ask(names[i]) && i == 0) return;
  }
}

// Everything through one path: what is lost is named, and the rest was read.
void read_all(PathsRun& paths, const std::string& path) {
  paths.run.tell("reading everything through " + path);
  std::vector<std::string> names;
  for (const KnownCounterset& counterset : paths.countersets)
    if (counterset.is_v2 || path == "registry") names.push_back(counterset.name);
  if (names.empty()) return;
  std::vector<std::string> words{"query", "*", "--path", path, "--format", "json"};
  ReadValues read;
  std::string said;
  if (const auto all = ask_program(paths.run, words, kQueryDeadline)) {
    note_values(all->document, read);
    said = all->said;
  } else {
    add_finding(paths.report, {.sentence = all.error().sentence});
    ask_one_by_one(paths, names, "query through " + path, [&](const std::string& name) {
      words[1] = name;
      const auto one = ask_program(paths.run, words, kOneDeadline);
      if (one)
        note_values(one->document, read);
      else
        said += one.error().sentence + '\n';
      return one || one.error().is_lost;
    });
  }
  if (paths.run.stop.stop_requested()) return;
  for (const KnownCounterset& counterset : paths.countersets) {
    if (!counterset.has_values || (!counterset.is_v2 && path != "registry") ||
        read.objects.contains(counterset.name))
      continue;
    Finding finding{.sentence = counterset.name + " has no values through " + path};
    if (std::string about = said_about(counterset.name, said); !about.empty())
      finding.details.emplace_back("said", std::move(about));
    add_finding(paths.report, std::move(finding));
  }
  paths.report.data["read through " + path] = {{"countersets", read.objects.size()},
                                               {"values", read.values},
                                               {"without a number", read.reasons}};
}

struct Compared {
  std::size_t countersets = 0;
  std::size_t values = 0;
  std::size_t moving = 0;
  std::size_t differences = 0;
};

std::string name_of_counter(const std::string& counterset, const std::string& counter) {
  return counter.empty() ? counterset : counterset + ' ' + counter;
}

// `other`: the key of the other side.
void judge_comparison(const nlohmann::json& document, const std::string& other, PathsRun& paths,
                      Compared& compared) {
  for (const nlohmann::json& counterset : list_of(document, "countersets")) {
    const std::string name = text_of(counterset, "name");
    ++compared.countersets;
    compared.values += count_of(counterset, "compared").value_or(0);
    compared.moving += count_of(counterset, "moving").value_or(0);
    const std::string registry_error = text_of(counterset, "registry_error");
    const std::string other_error = text_of(counterset, (other + "_error").c_str());
    // What neither has is among the values that were not read.
    if (registry_error.empty() != other_error.empty()) {
      ++compared.differences;
      add_finding(paths.report, {.sentence = name + " is there through one path only",
                                 .details = {{"registry", registry_error}, {other, other_error}}});
    }
    for (const nlohmann::json& difference : list_of(counterset, "differences")) {
      ++compared.differences;
      add_finding(paths.report,
                  {.sentence = name_of_counter(name, text_of(difference, "counter")) +
                               " differs between the registry and " + other + ": " +
                               text_of(difference, "difference"),
                   .details = {{"instance", paths.names.shown(text_of(difference, "instance"))},
                               {"registry", text_of(difference, "registry")},
                               {other, text_of(difference, other.c_str())}}});
    }
  }
}

void compare_all(PathsRun& paths, const std::string& other) {
  paths.run.tell("comparing the registry with " + other);
  std::vector<std::string> words{"verify", "--format", "json"};
  if (other == "hosts") words.emplace_back("--hosts");
  Compared compared;
  if (const auto all = ask_program(paths.run, words, kVerifyDeadline)) {
    judge_comparison(all->document, other, paths, compared);
  } else {
    add_finding(paths.report, {.sentence = all.error().sentence});
    std::vector<std::string> names;
    for (const KnownCounterset& counterset : paths.countersets)
      if (counterset.is_v2 == (other == "perflib")) names.push_back(counterset.name);
    ask_one_by_one(paths, names, "verify with " + other, [&](const std::string& name) {
      std::vector<std::string> one_words = words;
      one_words.insert(one_words.begin() + 1, name);
      const auto one = ask_program(paths.run, one_words, kOneDeadline);
      if (one) judge_comparison(one->document, other, paths, compared);
      if (!one && one.error().is_lost)
        add_finding(paths.report, {.sentence = one.error().sentence});
      return one || one.error().is_lost;
    });
  }
  paths.report.data["registry and " + other] = {{"countersets", compared.countersets},
                                                {"values", compared.values},
                                                {"moving", compared.moving},
                                                {"differences", compared.differences}};
}

CheckReport read_both_paths(CheckRun& run) {
  PathsRun paths{.run = run, .names = ShownNames(run.settings.scrub)};
  paths.run.tell("listing countersets and instances");
  const bool is_listed = list_countersets(paths);
  if (is_listed) {
    for (const char* const path : {"registry", "perflib"}) read_all(paths, path);
    for (const char* const other : {"perflib", "hosts"}) compare_all(paths, other);
  }
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "the selftest was stopped");
  paths.report.names = paths.names.replaced();
  conclude(paths.report, is_listed ? counted(paths.countersets.size(), "counterset")
                                   : "the countersets could not be listed");
  return std::move(paths.report);
}

}  // namespace

SelfCheck paths_check() {
  return {.id = "paths",
          .title = "Comparison of the registry and PerfLib",
          .does =
              "reads every counterset through the registry, through PerfLib and through hosts "
              "of V1 providers, and compares them",
          .takes = std::chrono::seconds(40),
          .run = read_both_paths};
}

}  // namespace winperf::selftest
