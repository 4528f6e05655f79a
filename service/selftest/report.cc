#include "service/selftest/report.h"

#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <string_view>

#include "collectors/base/printable.h"
#include "collectors/base/wording.h"
#include "collectors/capture/archive.h"
#include "service/console/json_document.h"
#include "service/console/look.h"

namespace winperf::selftest {
namespace {

constexpr std::size_t kShownDetails = 4;  // of a finding, on a line; the report has all
constexpr std::size_t kVerdicts = static_cast<std::size_t>(Verdict::kBroken) + 1;

std::array<std::size_t, kVerdicts> verdict_counts(const SelftestReport& report) {
  std::array<std::size_t, kVerdicts> counts{};
  for (const DoneCheck& done : report.checks)
    if (!done.is_left_out) ++counts[static_cast<std::size_t>(done.report.verdict)];
  return counts;
}

nlohmann::ordered_json json_of(const Finding& finding) {
  nlohmann::ordered_json details = nlohmann::ordered_json::object();
  for (const auto& [name, value] : finding.details) details[name] = value;
  return {{"sentence", finding.sentence}, {"details", std::move(details)}};
}

nlohmann::ordered_json json_of(const DoneCheck& done) {
  nlohmann::ordered_json findings = nlohmann::ordered_json::array();
  for (const Finding& finding : done.report.findings) findings.push_back(json_of(finding));
  nlohmann::ordered_json files = nlohmann::ordered_json::array();
  for (const ReportFile& file : done.report.files) files.push_back(file.name);
  return {{"id", done.check.id},
          {"title", done.check.title},
          {"verdict", name_of(done.report.verdict)},
          {"summary", done.report.summary},
          {"seconds", static_cast<double>(done.took.count()) / 1000},
          {"findings", std::move(findings)},
          {"data", done.report.data},
          {"files", std::move(files)}};
}

std::string coloured_verdict(Verdict verdict, bool has_colours) {
  const std::string name(name_of(verdict));
  if (verdict == Verdict::kAbsent || verdict == Verdict::kSkipped) return name;
  return coloured(name, verdict == Verdict::kPassed ? Colour::kGreen : Colour::kRed, has_colours);
}

std::string finding_lines(const CheckReport& report, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, report.findings.size()); ++i) {
    out += "             - " + printable(report.findings[i].sentence);
    const auto& details = report.findings[i].details;
    for (std::size_t k = 0; k < std::min(kShownDetails, details.size()); ++k)
      out += "; " + printable(details[k].first) + ": " + printable(details[k].second);
    out += '\n';
  }
  if (report.findings.size() > most)
    out += "             - and " + std::to_string(report.findings.size() - most) +
           " more, which are in the report\n";
  return out;
}

}  // namespace

bool is_good(const SelftestReport& report) {
  const auto counts = verdict_counts(report);
  return report.left.empty() && counts[static_cast<std::size_t>(Verdict::kFindings)] == 0 &&
         counts[static_cast<std::size_t>(Verdict::kBroken)] == 0;
}

std::string_view result_of(const SelftestReport& report) {
  if (!is_good(report)) return "something was found";
  const auto counts = verdict_counts(report);
  const bool was_checked = counts[static_cast<std::size_t>(Verdict::kPassed)] > 0;
  return was_checked ? "nothing was found" : "nothing was checked";
}

std::string report_json(const SelftestReport& report) {
  nlohmann::ordered_json checks = nlohmann::ordered_json::array();
  for (const DoneCheck& done : report.checks) checks.push_back(json_of(done));
  return json_document({{"made_by", "winperf_exporter " + report.version},
                        {"system", report.system},
                        {"started", report.started},
                        {"administrator", report.is_administrator},
                        {"scrubbed", report.is_scrubbed},
                        {"checks", std::move(checks)},
                        {"left_behind", report.left}});
}

std::string check_text(const DoneCheck& done, bool has_colours, std::size_t most) {
  constexpr std::size_t kColumn = 10;
  const std::string blanks(kColumn - name_of(done.report.verdict).size(), ' ');
  return coloured_verdict(done.report.verdict, has_colours) + blanks + std::string(done.check.id) +
         ": " + printable(done.report.summary) + '\n' + finding_lines(done.report, most);
}

std::vector<DoneCheck> shown_checks(const SelftestReport& report) {
  std::vector<DoneCheck> shown;
  for (const DoneCheck& done : report.checks)
    if (!done.is_left_out) shown.push_back(done);
  return shown;
}

std::string left_out_text(const SelftestReport& report) {
  const auto count =
      static_cast<std::size_t>(std::ranges::count(report.checks, true, &DoneCheck::is_left_out));
  if (count == 0) return {};
  return counted(count, "check") + (count == 1 ? " was" : " were") + " left out by --only";
}

std::string report_text(const SelftestReport& report, bool has_colours) {
  std::string out;
  std::size_t all = 0;
  const auto counts = verdict_counts(report);
  for (std::size_t i = 0; i < kVerdicts; ++i) {
    const auto verdict = static_cast<Verdict>(i);
    if (!out.empty()) out += ", ";
    out += std::to_string(counts[i]) + (verdict == Verdict::kFindings ? " with " : " ") +
           std::string(name_of(verdict));
    all += counts[i];
  }
  out = counted(all, "check") + ": " + out + '\n';
  if (const std::string left_out = left_out_text(report); !left_out.empty()) out += left_out + '\n';
  for (const std::string& sentence : report.left)
    out += "left behind: " + printable(sentence) + '\n';
  return coloured(out, is_good(report) ? Colour::kGreen : Colour::kRed, has_colours);
}

std::vector<std::byte> report_archive(const SelftestReport& report) {
  capture::ArchiveWriter archive;
  const auto add = [&](std::string_view name, std::string_view text) {
    archive.add(name, std::as_bytes(std::span(text)));
  };
  add("report.html", report_page(report));
  add("report.json", report_json(report));
  for (const DoneCheck& done : report.checks)
    for (const ReportFile& file : done.report.files)
      if (archive.has_room_for(file.bytes.size())) archive.add(file.name, file.bytes);
  return archive.finish();
}

SelftestReport scrubbed(SelftestReport report, const NamesInText& names) {
  const auto replace = [&](std::string& text) { text = names.replaced(text); };
  const std::function<void(nlohmann::ordered_json&)> replace_in =
      [&](nlohmann::ordered_json& value) {
        if (value.is_string()) replace(value.get_ref<std::string&>());
        if (!value.is_structured()) return;
        for (auto& part : value) replace_in(part);
      };
  for (DoneCheck& done : report.checks) {
    replace(done.report.summary);
    replace_in(done.report.data);
    for (Finding& finding : done.report.findings) {
      replace(finding.sentence);
      for (auto& detail : finding.details) replace(detail.second);
    }
    for (ReportFile& file : done.report.files) {
      if (!file.is_text) continue;
      std::string text(reinterpret_cast<const char*>(file.bytes.data()), file.bytes.size());
      replace(text);
      const auto bytes = std::as_bytes(std::span(text));
      file.bytes.assign(bytes.begin(), bytes.end());
    }
  }
  for (std::string& sentence : report.left) replace(sentence);
  report.is_scrubbed = true;
  return report;
}

}  // namespace winperf::selftest
