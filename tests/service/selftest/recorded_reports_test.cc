// Reports of real machines: everything that they bring back is computed once more. Without one, the
// test says so and is skipped. report_reader_test.py makes reports on the simulated machine, and
// spoils them.
#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "tests/service/selftest/recorded_report.h"
#include "tests/support/captures.h"

namespace winperf {
namespace {

class RecordedReports : public testing::CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    if (IsSkipped()) return;
    places_ = testing::report_places(captures_);
    if (places_.empty())
      GTEST_SKIP() << "NO REPORT OF A SELFTEST: put report.zip into the folder reports of "
                      "WINPERF_CAPTURES";
  }

  std::vector<std::filesystem::path> places_;
};

void expect_none(const std::string& report, const testing::Recomputed& result) {
  constexpr std::size_t kShown = 50;
  for (std::size_t i = 0; i < result.problems.size() && i < kShown; ++i)
    ADD_FAILURE() << report << ": " << result.problems[i];
  if (result.problems.size() > kShown) {
    ADD_FAILURE() << report << ": and " << result.problems.size() - kShown << " more";
  }
}

TEST_F(RecordedReports, AreReadAsTheyWere) {
  for (const auto& place : places_) {
    const auto report = testing::read_report(place);
    ASSERT_TRUE(report) << place << ": " << report.error();
    std::cout << report->name << ": " << report->origin() << '\n';
  }
}

TEST_F(RecordedReports, HaveCapturesThatAreParsedSampledAndCooked) {
  for (const auto& place : places_) {
    const auto report = testing::read_report(place);
    if (!report || report->captures == nullptr) continue;
    const auto result = testing::recompute_captures(report->captures);
    std::cout << report->name << ": " << result.blocks << " blocks, " << result.samples
              << " samples of countersets, " << result.numbers << " numbers, " << result.compared
              << " values through both paths\n";
    EXPECT_GT(result.blocks, 0U) << report->name;
    EXPECT_GT(result.numbers, 0U) << report->name;
    expect_none(report->name, result);
  }
}

TEST_F(RecordedReports, HaveNumbersOfPdhThatItsRawValuesGive) {
  for (const auto& place : places_) {
    const auto report = testing::read_report(place);
    if (!report || report->pdh.empty()) continue;
    const auto result = testing::recompute_pdh(report->pdh);
    std::cout << report->name << ": " << result.compared << " numbers of PDH, " << result.known
              << " known to differ\n";
    EXPECT_GT(result.compared, 0U) << report->name;
    expect_none(report->name, result);
  }
}

}  // namespace
}  // namespace winperf
