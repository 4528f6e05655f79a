// Our numbers beside those of Windows' own reader.
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/base/wording.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/shown_names.h"

namespace winperf::selftest {
namespace {

// A counterset takes a second or two, and Windows has up to a few hundred. After its time, the
// command ends what it has begun, in which PDH has a minute for a call.
constexpr std::chrono::minutes kPdhTime{8};
constexpr std::chrono::minutes kPdhDeadline{15};
constexpr std::uint64_t kMaxRawFile = std::uint64_t{256} << 20U;

// As text: numbers as JSON has them.
std::string shown_value(const nlohmann::json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The members of an object that was read, one after the other: "value 5, base 0".
std::string shown_members(const nlohmann::json& object, std::initializer_list<const char*> names) {
  if (!object.is_object()) return "none";
  std::string text;
  for (const char* const name : names)
    text +=
        (text.empty() ? "" : ", ") + std::string(name) + ' ' + shown_value(member_of(object, name));
  return text;
}

// Both sides' raw values at each moment.
void add_moments(const nlohmann::json& difference, Finding& finding) {
  std::size_t number = 0;
  for (const nlohmann::json& moment : list_of(difference, "moments")) {
    const std::string title = "moment " + std::to_string(++number) + ", ";
    for (const char* const side : {"before", "after"})
      finding.details.emplace_back(
          title + "registry " + side,
          shown_members(member_of(moment, side),
                        {"value", "base", "reason", "perf_time", "time_100ns", "object_time"}));
    finding.details.emplace_back(
        title + "PDH",
        shown_members(member_of(moment, "pdh"), {"status", "first", "second", "multi_count"}));
    finding.details.emplace_back(title + "PDH's number",
                                 shown_members(member_of(moment, "number"), {"status", "value"}));
  }
}

Finding finding_of(const std::string& counterset, const nlohmann::json& difference,
                   ShownNames& names) {
  const std::string type = text_of(difference, "type");
  const std::string counter = text_of(difference, "counter");
  Finding finding{.sentence = counterset + (counter.empty() ? "" : ' ' + counter) +
                              (type.empty() ? "" : " (" + type + ')') +
                              " differs from PDH's: " + text_of(difference, "difference")};
  finding.details = {{"instance", names.shown(text_of(difference, "instance"))},
                     {"registry", shown_value(member_of(difference, "registry"))},
                     {"pdh", shown_value(member_of(difference, "pdh"))}};
  add_moments(difference, finding);
  return finding;
}

struct ComparedWithPdh {
  std::size_t values = 0;
  std::size_t moving = 0;
  std::size_t differences = 0;
  std::map<std::pair<std::string, std::string>, std::size_t> known{};  // by type and reason
  std::map<std::string, std::string> not_compared{};                   // why, by counterset
};

void judge_counterset(const nlohmann::json& counterset, ShownNames& names, CheckReport& report,
                      ComparedWithPdh& compared) {
  const std::string name = text_of(counterset, "name");
  compared.values += count_of(counterset, "compared").value_or(0);
  compared.moving += count_of(counterset, "moving").value_or(0);
  if (const std::string why = text_of(counterset, "not_compared"); !why.empty())
    compared.not_compared[name] = why;
  const std::string ours = text_of(counterset, "registry_error");
  const std::string pdhs = text_of(counterset, "pdh_error");
  // What neither side can read is no difference between them.
  if (!ours.empty() && !pdhs.empty()) compared.not_compared[name] = pdhs;
  if (ours.empty() != pdhs.empty())
    add_finding(report, {.sentence = name + " could be read by one side only",
                         .details = {{"registry", ours}, {"pdh", pdhs}}});
  for (const nlohmann::json& known : list_of(counterset, "known"))
    compared.known[{text_of(known, "type"), text_of(known, "reason")}] +=
        count_of(known, "values").value_or(0);
  for (const nlohmann::json& difference : list_of(counterset, "differences")) {
    ++compared.differences;
    add_finding(report, finding_of(name, difference, names));
  }
}

void judge_pdh(const nlohmann::json& document, ShownNames& names, CheckReport& report) {
  ComparedWithPdh compared;
  for (const nlohmann::json& counterset : list_of(document, "countersets"))
    judge_counterset(counterset, names, report, compared);
  report.data = {{"values", compared.values},
                 {"moving", compared.moving},
                 {"differences", compared.differences}};
  auto& known = report.data["known to differ"] = nlohmann::ordered_json::array();
  for (const auto& [what, values] : compared.known)
    known.push_back({{"type", what.first}, {"reason", what.second}, {"values", values}});
  report.data["not compared"] = compared.not_compared;
  report.data["known to PDH alone"] = member_of(document, "only_pdh");
  report.data["not in PDH's list"] = list_of(document, "not_listed_by_pdh");
  report.data["known to PDH alone, with values"] = list_of(document, "only_pdh_with_values");
  report.data["without time"] = list_of(document, "without_time");
}

// The raw file, for tests that compute every number again. `is_part`: of a command that has no
// answer, so that it may lack lines or end in the middle of one.
void add_raw_file(const CheckRun& run, const std::filesystem::path& file, bool is_part,
                  ShownNames& names, CheckReport& report) {
  auto bytes = read_whole_file(file, kMaxRawFile);
  if (bytes && is_part) {
    const auto line_feeds = std::ranges::find(bytes->rbegin(), bytes->rend(), std::byte{'\n'});
    bytes->erase(line_feeds.base(), bytes->end());
    if (bytes->empty()) return;
  } else if (is_part) {
    return;
  }
  if (!bytes) {
    add_finding(report, {.sentence = "the raw values could not be kept: " + bytes.error().reason});
    return;
  }
  if (run.settings.scrub) {
    const auto text =
        without_instances({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, names);
    if (!text) {
      add_finding(report, {.sentence = "the file of raw values has another format"});
      return;
    }
    const auto scrubbed_bytes = std::as_bytes(std::span(*text));
    bytes->assign(scrubbed_bytes.begin(), scrubbed_bytes.end());
  }
  // Its names are replaced by what it means, not as text.
  report.files.push_back({.name = "pdh.jsonl", .bytes = *std::move(bytes), .is_text = false});
}

std::string summary_of(const nlohmann::json& document) {
  const std::size_t all = list_of(document, "countersets").size();
  const std::size_t late = list_of(document, "without_time").size();
  if (late == 0) return "compared " + counted(all, "counterset") + " with PDH";
  return "compared " + std::to_string(all - std::min(all, late)) + " of " +
         counted(all, "counterset") + " with PDH in " + std::to_string(kPdhTime.count()) +
         " minutes; verify --with pdh compares all";
}

CheckReport compare_with_pdh(CheckRun& run) {
  CheckReport report;
  ShownNames names(run.settings.scrub);
  const std::filesystem::path raw = run.folder / "pdh.jsonl";
  run.tell("comparing every counter with PDH's");
  const auto answer = ask_program(run,
                                  {"verify", "--with", "pdh", "--format", "json", "--within",
                                   std::to_string(kPdhTime.count()) + 'm', "--raw", path_text(raw)},
                                  kPdhDeadline);
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "the selftest was stopped");
  if (!answer) {
    report = report_of(Verdict::kBroken, answer.error().sentence);
    add_raw_file(run, raw, true, names, report);
    report.names = names.replaced();
    return report;
  }
  judge_pdh(answer->document, names, report);
  add_raw_file(run, raw, false, names, report);
  report.names = names.replaced();
  conclude(report, summary_of(answer->document));
  return report;
}

}  // namespace

SelfCheck pdh_check() {
  return {.id = "pdh",
          .title = "Comparison with PDH",
          .does =
              "reads every counter of every instance as Windows' own PDH does, and compares "
              "definitions, raw values and numbers",
          .takes = std::chrono::seconds(300),
          .run = compare_with_pdh};
}

}  // namespace winperf::selftest
