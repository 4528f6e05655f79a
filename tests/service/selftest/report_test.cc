#include "service/selftest/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <span>
#include <string>

#include "collectors/capture/archive.h"

namespace winperf::selftest {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

SelftestReport example() {
  SelftestReport report{.version = "1.2.3 (abc, windows x86_64)",
                        .system = "Windows 10.0.20348, locale en-US",
                        .started = "2026-01-02T03:04:05Z",
                        .is_administrator = true,
                        .checks = {},
                        .left = {}};
  CheckReport pdh = report_of(Verdict::kFindings, "1 of 2 numbers differs");
  pdh.findings.push_back({.sentence = "<b>\\Process(anna)</b> differs",
                          .details = {{"ours", "1"}, {"PDH's", "2 & 3"}}});
  pdh.files.push_back({.name = "pdh.jsonl", .bytes = bytes_of("{\"user\": \"Anna\"}")});
  pdh.files.push_back({.name = "pdh.bin", .bytes = bytes_of("Anna"), .is_text = false});
  pdh.data["account"] = "SRV\\Anna";
  report.checks.push_back({.check = {.id = "pdh", .title = "Comparison with PDH", .does = "reads"},
                           .report = pdh,
                           .took = std::chrono::milliseconds(1'250)});
  report.checks.push_back({.check = {.id = "msi", .title = "Installer", .does = "installs"},
                           .report = report_of(Verdict::kSkipped, "it was not asked for"),
                           .took = {}});
  return report;
}

std::string text_of(const CaptureFolder& folder, const std::string& name) {
  const auto bytes = folder.read(name, "report");
  return bytes ? std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size())
               : std::string("not there");
}

TEST(SelftestReport, IsGoodWithoutFindingsAndLeftovers) {
  SelftestReport report = example();
  EXPECT_FALSE(is_good(report));
  report.checks.front().report.verdict = Verdict::kAbsent;
  EXPECT_TRUE(is_good(report));
  report.checks.front().report.verdict = Verdict::kBroken;
  EXPECT_FALSE(is_good(report));
  report.checks.front().report.verdict = Verdict::kPassed;
  report.left.emplace_back("the service \"x\" cannot be removed");
  EXPECT_FALSE(is_good(report));
}

TEST(SelftestReport, DoesNotCallAMachineGoodOfWhichNothingWasChecked) {
  SelftestReport report = example();
  EXPECT_EQ(result_of(report), "something was found");
  EXPECT_THAT(report_page(report), HasSubstr("belongs to a bug report"));
  CheckReport& pdh = report.checks.front().report;
  pdh.verdict = Verdict::kAbsent;
  EXPECT_EQ(result_of(report), "nothing was checked");
  EXPECT_THAT(report_page(report), HasSubstr("<h1>winperf_exporter selftest: nothing was checked"));
  EXPECT_THAT(report_page(report), Not(HasSubstr("belongs to a bug report")));
  pdh.verdict = Verdict::kPassed;
  EXPECT_EQ(result_of(report), "nothing was found");
}

TEST(SelftestReport, SaysWhatEachVerdictMeans) {
  const std::string page = report_page(example());
  for (std::size_t i = 0; i <= static_cast<std::size_t>(Verdict::kBroken); ++i) {
    const std::string verdict(name_of(static_cast<Verdict>(i)));
    EXPECT_THAT(page, HasSubstr(verdict + ": ")) << verdict;
  }
}

TEST(SelftestReport, HasEverythingInItsJson) {
  const auto json = nlohmann::json::parse(report_json(example()));
  EXPECT_EQ(json["made_by"], "winperf_exporter 1.2.3 (abc, windows x86_64)");
  ASSERT_EQ(json["checks"].size(), 2U);
  const auto& pdh = json["checks"][0];
  EXPECT_EQ(pdh["verdict"], "findings");
  EXPECT_EQ(pdh["seconds"], 1.25);
  EXPECT_EQ(pdh["findings"][0]["details"]["PDH's"], "2 & 3");
  EXPECT_EQ(pdh["files"], nlohmann::json({"pdh.jsonl", "pdh.bin"}));
  EXPECT_EQ(json["checks"][1]["verdict"], "skipped");
  EXPECT_EQ(json["checks"][1]["data"], nullptr);
}

TEST(SelftestReport, ShowsForeignTextAsText) {
  const std::string page = report_page(example());
  EXPECT_THAT(page, HasSubstr("&lt;b&gt;\\Process(anna)&lt;/b&gt; differs"));
  EXPECT_THAT(page, HasSubstr("2 &amp; 3"));
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, HasSubstr("something was found"));
}

TEST(SelftestReport, SaysEachCheckInALine) {
  const std::string text = check_text(example().checks.front(), false);
  EXPECT_EQ(text,
            "findings  pdh: 1 of 2 numbers differs\n"
            "             - <b>\\Process(anna)</b> differs; ours: 1; PDH's: 2 & 3\n");
  EXPECT_EQ(report_text(example(), false),
            "2 checks: 0 passed, 1 with findings, 0 absent, 1 skipped, 0 broken\n");
  DoneCheck detailed = example().checks.front();
  for (const char* const name : {"third", "fourth", "fifth"})
    detailed.report.findings.front().details.emplace_back(name, "x");
  EXPECT_THAT(check_text(detailed, false), HasSubstr("; fourth: x\n"));
  DoneCheck many = example().checks.front();
  many.report.findings.resize(12);
  EXPECT_THAT(check_text(many, false), HasSubstr("and 2 more, which are in the report"));
}

TEST(SelftestReport, SaysOnlyHowManyChecksWereLeftOut) {
  SelftestReport report = example();
  EXPECT_EQ(left_out_text(report), "");
  report.checks.back().is_left_out = true;
  EXPECT_EQ(report_text(report, false),
            "1 check: 0 passed, 1 with findings, 0 absent, 0 skipped, 0 broken\n"
            "1 check was left out by --only\n");
  EXPECT_THAT(report_page(report), Not(HasSubstr("Installer")));
  EXPECT_THAT(report_page(report), HasSubstr("1 check was left out by --only."));
  EXPECT_EQ(nlohmann::json::parse(report_json(report))["checks"][1]["verdict"], "skipped");
  report.checks.push_back(report.checks.back());
  EXPECT_EQ(left_out_text(report), "2 checks were left out by --only");
}

TEST(SelftestReport, IsAnArchiveOfItsFiles) {
  const auto archive = capture::open_archive(report_archive(example()), "report");
  ASSERT_TRUE(archive) << archive.error().text;
  EXPECT_THAT(text_of(**archive, "report.html"), HasSubstr("Comparison with PDH"));
  EXPECT_EQ(text_of(**archive, "report.json"), report_json(example()));
  EXPECT_EQ(text_of(**archive, "pdh.bin"), "Anna");
}

TEST(SelftestReport, HasNoNameWhenItIsScrubbed) {
  const SelftestReport report = scrubbed(example(), NamesInText({"Anna", "SRV"}));
  EXPECT_TRUE(report.is_scrubbed);
  EXPECT_EQ(report.checks[0].report.data["account"], "name-2\\name-1");
  const auto archive = capture::open_archive(report_archive(report), "report");
  ASSERT_TRUE(archive) << archive.error().text;
  for (const char* const name : {"report.html", "report.json", "pdh.jsonl"}) {
    EXPECT_THAT(text_of(**archive, name), Not(HasSubstr("Anna"))) << name;
    EXPECT_THAT(text_of(**archive, name), Not(HasSubstr("anna"))) << name;
  }
  // A binary file is its check's to scrub.
  EXPECT_EQ(text_of(**archive, "pdh.bin"), "Anna");
}

}  // namespace
}  // namespace winperf::selftest
