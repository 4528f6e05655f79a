// Our numbers beside those of Windows' own reader.
#include <array>
#include <span>
#include <string>
#include <vector>

#include "collectors/base/path_text.h"
#include "collectors/base/whole_file.h"
#include "collectors/base/wording.h"
#include "service/selftest/command_answer.h"
#include "service/selftest/shown_names.h"

namespace winperf::selftest {
namespace {

constexpr std::chrono::minutes kPdhDeadline{30};
constexpr std::uint64_t kMaxRawFile = std::uint64_t{256} << 20U;

// As text: numbers as JSON has them.
std::string shown_value(const nlohmann::json& value) {
  if (value.is_null()) return "none";
  if (value.is_string()) return value.get<std::string>();
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Finding finding_of(const std::string& counterset, const nlohmann::json& difference,
                   ShownNames& names) {
  std::string type = text_of(difference, "type_name");
  if (type.empty()) type = text_of(difference, "type");
  const std::string counter = text_of(difference, "counter");
  Finding finding{.sentence = counterset + (counter.empty() ? "" : ' ' + counter) +
                              (type.empty() ? "" : " (" + type + ')') +
                              " differs from PDH's: " + text_of(difference, "difference")};
  if (!difference.is_object()) return finding;
  for (const auto& [key, value] : difference.items()) {
    if (key == "counter" || key == "difference" || key == "type_name") continue;
    const std::string text = shown_value(value);
    finding.details.emplace_back(key, key == "instance" ? names.shown(text) : text);
  }
  return finding;
}

void judge_pdh(const nlohmann::json& document, ShownNames& names, CheckReport& report) {
  std::size_t compared = 0;
  std::size_t moving = 0;
  std::size_t differences = 0;
  auto known = nlohmann::ordered_json::object();
  for (const nlohmann::json& counterset : list_of(document, "countersets")) {
    const std::string name = text_of(counterset, "name");
    compared += count_of(counterset, "compared").value_or(0);
    moving += count_of(counterset, "moving").value_or(0);
    std::size_t errors = 0;
    for (const char* const side : {"registry_error", "perflib_error", "ours_error", "pdh_error"})
      errors += !text_of(counterset, side).empty();
    // One that neither side can read is no difference.
    for (const char* const side : {"registry_error", "perflib_error", "ours_error", "pdh_error"})
      if (const std::string error = text_of(counterset, side); !error.empty() && errors == 1)
        add_finding(report, {.sentence = name + " could not be compared with PDH",
                             .details = {{side, error}}});
    for (const nlohmann::json& difference : list_of(counterset, "differences")) {
      ++differences;
      add_finding(report, finding_of(name, difference, names));
    }
  }
  if (const auto& reasons = member_of(document, "known"); !reasons.is_null())
    report.data["known to differ"] = reasons;
  report.data["values"] = compared;
  report.data["moving"] = moving;
  report.data["differences"] = differences;
}

// The raw file, for tests that compute every number again.
void add_raw_file(const CheckRun& run, const std::filesystem::path& file, ShownNames& names,
                  CheckReport& report) {
  auto bytes = read_whole_file(file, kMaxRawFile);
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

CheckReport compare_with_pdh(CheckRun& run) {
  CheckReport report;
  ShownNames names(run.settings.scrub);
  const std::filesystem::path raw = run.folder / "pdh.jsonl";
  run.tell("comparing every counter with PDH's");
  const auto answer = ask_program(
      run, {"verify", "--with", "pdh", "--format", "json", "--raw", path_text(raw)}, kPdhDeadline);
  if (run.stop.stop_requested()) return report_of(Verdict::kBroken, "the selftest was stopped");
  if (!answer) return report_of(Verdict::kBroken, answer.error().sentence);
  judge_pdh(answer->document, names, report);
  add_raw_file(run, raw, names, report);
  report.names = names.replaced();
  conclude(report,
           counted(list_of(answer->document, "countersets").size(), "counterset") + " beside PDH");
  return report;
}

}  // namespace

SelfCheck pdh_check() {
  return {.id = "pdh",
          .title = "Numbers beside PDH's",
          .does =
              "reads every counter of every instance as Windows' own PDH does, and compares "
              "definitions, raw values and numbers",
          .run = compare_with_pdh};
}

}  // namespace winperf::selftest
