// Tests what is reported about recurring problems.
#include "tests/providers/sysperf/journal.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace sysperf {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using ::testing::ElementsAre;
using ::testing::SizeIs;

class JournalTest : public testing::Test {
 protected:
  std::vector<std::wstring> texts() const {
    std::vector<std::wstring> result;
    for (const Report& report : reports_) result.push_back(report.text);
    return result;
  }

  milliseconds now_{5};
  std::vector<Report> reports_;
  Journal journal_{[this] { return now_; },
                   [this](const Report& report) { reports_.push_back(report); }};
};

TEST_F(JournalTest, TroubleThatLastsIsReportedOnce) {
  for (int i = 0; i < 100'000; ++i) {
    journal_.failed(Subject::kDevices, 2, L"\\\\.\\Nothing");
    now_ += std::chrono::seconds(15);
  }
  EXPECT_THAT(reports_,
              ElementsAre(Report{Trouble::kDevice,
                                 L"the device that Linkage\\Export names cannot be opened: "
                                 L"\\\\.\\Nothing (error 2)"}));
}

TEST_F(JournalTest, TroubleThatComesAndGoesIsReportedOnceAnHour) {
  for (int minute = 0; minute < 150; ++minute) {
    journal_.failed(Subject::kProcess, 8);
    journal_.failed(Subject::kProcess, 8);
    journal_.succeeded(Subject::kProcess);
    now_ += minutes(1);
  }
  const std::wstring text = L"the numbers of Process are not available (error 8)";
  // Two failures per minute for an hour, one of which was reported.
  const std::wstring others = L"; unreported failures since the last report: 119";
  EXPECT_THAT(texts(), ElementsAre(text, text + others, text + others));
}

TEST_F(JournalTest, TroubleThatIsOverIsNewAfterAnHour) {
  journal_.failed(Subject::kRegistration, 2);
  journal_.succeeded(Subject::kRegistration);
  now_ += minutes(60) - milliseconds(1);
  journal_.failed(Subject::kRegistration, 5);
  EXPECT_THAT(reports_, SizeIs(1));
  now_ += milliseconds(1);
  journal_.failed(Subject::kRegistration, 5);
  ASSERT_THAT(reports_, SizeIs(2));
  EXPECT_EQ(reports_[1].text,
            L"First Counter or First Help of its Performance key cannot be read; run \"lodctr "
            L"sysperf.ini\" to register the provider (error 5); unreported failures since the last "
            L"report: 1");
}

TEST_F(JournalTest, EachSubjectHasItsOwnTrouble) {
  for (int i = 0; i < 3; ++i)
    for (std::size_t subject = 0; subject < kSubjects; ++subject)
      journal_.failed(static_cast<Subject>(subject), 1);
  ASSERT_THAT(reports_, SizeIs(kSubjects));
  const Trouble expected[] = {Trouble::kIndices, Trouble::kDevice, Trouble::kObject,
                              Trouble::kObject,  Trouble::kObject, Trouble::kObject,
                              Trouble::kMemory};
  for (std::size_t i = 0; i < kSubjects; ++i) EXPECT_EQ(reports_[i].trouble, expected[i]) << i;
}

TEST_F(JournalTest, SeveralThreadsTogetherReportOnce) {
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([this] {
        for (int i = 0; i < 1'000; ++i) journal_.failed(Subject::kReply, 8);
      });
  }
  EXPECT_THAT(reports_, SizeIs(1));
}

}  // namespace
}  // namespace sysperf
