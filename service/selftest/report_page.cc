#include <string>
#include <string_view>
#include <vector>

#include "service/selftest/report.h"

namespace winperf::selftest {
namespace {

constexpr std::string_view kHead = R"(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>winperf_exporter selftest</title><style>
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin:1.6rem 0 .2rem}
table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.25rem .6rem .25rem 0;vertical-align:top}
td{overflow-wrap:anywhere}.t{white-space:nowrap}thead th{border-bottom:1px solid #8886}
.v{display:inline-block;min-width:5rem;font-weight:600}
.passed{color:light-dark(#176e2c,#6bd38a)}.findings,.broken{color:light-dark(#b3261e,#ff8a80)}
.absent,.skipped{color:light-dark(#555,#aaa)}
li{margin:.3rem 0}dl{margin:.2rem 0 .2rem 1rem;display:grid;grid-template-columns:max-content 1fr;gap:0 .8rem}
table.d{width:auto;margin:.2rem 0}.d th{font-weight:normal;color:light-dark(#555,#aaa)}.d th,.d td{padding:.1rem .8rem .1rem 0}
details{overflow-x:auto}.d td{overflow-wrap:break-word}
summary{cursor:pointer}dt{color:light-dark(#555,#aaa)}dd{margin:0;overflow-wrap:anywhere}.small{color:light-dark(#555,#aaa)}
</style></head><body>
)";

// As in docs/selftest.md.
constexpr std::string_view kVerdictLegend =
    "<p class=\"small\">passed: all is as it should be. findings: something is wrong, as listed "
    "below. absent: this system lacks what is checked, and need not have it. skipped: it was not "
    "asked for, or this account cannot make it. broken: it could not be made, so nothing is "
    "known.</p>\n";

std::string verdict_cell(Verdict verdict) {
  const std::string name(name_of(verdict));
  return "<span class=\"v " + name + "\">" + name + "</span>";
}

std::string time_text(std::chrono::milliseconds took) {
  const auto tenths = (took.count() + 50) / 100;
  return std::to_string(tenths / 10) + '.' + std::to_string(tenths % 10) + " s";
}

std::string overview(const SelftestReport& report) {
  std::string out = "<table><thead><tr><th>Check<th>Result<th>Time</tr></thead>\n";
  const std::vector<DoneCheck> shown = shown_checks(report);
  for (const DoneCheck& done : shown) {
    out += "<tr><td><a href=\"#" + html_text(done.check.id) + "\">" + html_text(done.check.title) +
           "</a><td>" + verdict_cell(done.report.verdict) + ' ' + html_text(done.report.summary) +
           "<td class=\"t\">" + time_text(done.took) + "</tr>\n";
  }
  out += "</table>\n";
  if (const std::string left_out = left_out_text(report); !left_out.empty())
    out += "<p class=\"small\">" + left_out + ".</p>\n";
  return out;
}

std::string finding_item(const Finding& finding) {
  std::string out = "<li>" + html_text(finding.sentence);
  if (!finding.details.empty()) {
    out += "<dl>";
    for (const auto& [name, value] : finding.details)
      out += "<dt>" + html_text(name) + "<dd>" + html_text(value);
    out += "</dl>";
  }
  return out + "\n";
}

std::string section(const DoneCheck& done) {
  constexpr std::size_t kMost = 200;
  constexpr std::size_t kOpenBytes = 10'000;  // longer tables are opened with a click
  std::string out = "<h2 id=\"" + html_text(done.check.id) + "\">" + html_text(done.check.title) +
                    "</h2>\n<p>" + verdict_cell(done.report.verdict) + ' ' +
                    html_text(done.report.summary) + ".<br><span class=\"small\">" +
                    html_text(done.check.does) + "</span></p>\n";
  const auto& findings = done.report.findings;
  if (!findings.empty()) {
    out += "<ul>\n";
    for (std::size_t i = 0; i < findings.size() && i < kMost; ++i) out += finding_item(findings[i]);
    if (findings.size() > kMost)
      out += "<li>and " + std::to_string(findings.size() - kMost) + " more: see report.json\n";
    out += "</ul>\n";
  }
  if (const std::string table = data_table(done.report.data); !table.empty())
    out += "<details" + std::string(table.size() <= kOpenBytes ? " open" : "") +
           "><summary>What was measured</summary>\n" + table + "</details>\n";
  if (!done.report.files.empty()) {
    out += "<p class=\"small\">Files:";
    for (const ReportFile& file : done.report.files) out += ' ' + html_text(file.name);
    out += "</p>\n";
  }
  return out;
}

}  // namespace

std::string report_page(const SelftestReport& report) {
  std::string out(kHead);
  out += "<h1>winperf_exporter selftest: " + std::string(result_of(report)) + "</h1>\n<p>";
  out += html_text(report.version) + "; " +
         (report.system.empty() ? std::string() : html_text(report.system) + "; ") + "started " +
         html_text(report.started) + "; " +
         (report.is_administrator ? "as administrator" : "without an administrator's rights") +
         (report.is_scrubbed ? "; names are replaced" : "") + ".</p>\n";
  for (const std::string& sentence : report.left)
    out += "<p class=\"broken\">Left behind: " + html_text(sentence) +
           ". <code>winperf_exporter selftest --undo</code> tries again.</p>\n";
  if (!is_good(report))
    out +=
        "<p>What was found is below, check by check. The whole ZIP file, of which this page is a "
        "part, belongs to a bug report.</p>\n";
  out += overview(report);
  out += kVerdictLegend;
  const std::vector<DoneCheck> shown = shown_checks(report);
  for (const DoneCheck& done : shown) out += section(done);
  return out + "</body></html>\n";
}

}  // namespace winperf::selftest
