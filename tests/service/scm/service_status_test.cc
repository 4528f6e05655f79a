#include "service/scm/service_status.h"

#include <gmock/gmock.h>

#include <thread>
#include <vector>

namespace winperf {
namespace {

using enum ServiceState;

class ServiceStatusTest : public ::testing::Test {
 protected:
  std::vector<ServiceState> states() const {
    std::vector<ServiceState> all;
    for (const ServiceReport& report : reports_) all.push_back(report.state);
    return all;
  }

  std::vector<ServiceReport> reports_;
  ServiceStatus status_{[this](const ServiceReport& report) { reports_.push_back(report); }};
};

TEST_F(ServiceStatusTest, WholeLife_ReportsEachState) {
  status_.starting();
  status_.running();
  status_.stopping();
  status_.stopped(0);
  EXPECT_THAT(states(), ::testing::ElementsAre(kStarting, kRunning, kStopping, kStopped));
}

TEST_F(ServiceStatusTest, WhilePending_CheckpointsRiseAndAHintIsGiven) {
  status_.starting();
  status_.starting();
  status_.starting();
  status_.running();
  status_.stopping();
  status_.stopping();
  std::vector<std::uint32_t> checkpoints;
  for (const ServiceReport& report : reports_) {
    checkpoints.push_back(report.checkpoint);
    const bool pending = report.state == kStarting || report.state == kStopping;
    EXPECT_EQ(report.wait_hint.count() > 0, pending);
  }
  EXPECT_THAT(checkpoints, ::testing::ElementsAre(1, 2, 3, 0, 1, 2));
}

TEST_F(ServiceStatusTest, Controls_AreAcceptedWhileItRunsAlone) {
  status_.starting();
  status_.running();
  status_.stopping();
  status_.stopped(0);
  for (const ServiceReport& report : reports_)
    EXPECT_EQ(report.accepts_controls, report.state == kRunning);
}

TEST_F(ServiceStatusTest, StopDuringTheStart_IsNotUndone) {
  status_.starting();
  status_.stopping();
  status_.starting();
  status_.running();
  status_.stopped(0);
  EXPECT_THAT(states(), ::testing::ElementsAre(kStarting, kStopping, kStopped));
}

TEST_F(ServiceStatusTest, FailedStart_EndsWithItsExitCode) {
  status_.starting();
  status_.stopped(2);
  EXPECT_THAT(states(), ::testing::ElementsAre(kStarting, kStopped));
  EXPECT_EQ(reports_.back().exit_code, 2);
}

TEST_F(ServiceStatusTest, AfterTheEnd_ReportsNothing) {
  status_.stopped(0);
  status_.stopped(1);
  status_.stopping();
  status_.running();
  status_.starting();
  ASSERT_EQ(reports_.size(), 1u);
  EXPECT_EQ(reports_.back().exit_code, 0);
}

TEST_F(ServiceStatusTest, RunningTwice_IsReportedOnce) {
  status_.running();
  status_.running();
  EXPECT_EQ(reports_.size(), 1u);
}

TEST_F(ServiceStatusTest, FromSeveralThreads_GoesForwardOnly) {
  {
    std::vector<std::jthread> threads;
    threads.emplace_back([this] { status_.running(); });
    threads.emplace_back([this] { status_.stopping(); });
    threads.emplace_back([this] { status_.stopping(); });
    threads.emplace_back([this] { status_.starting(); });
  }
  status_.stopped(0);
  EXPECT_TRUE(std::ranges::is_sorted(states()));
  EXPECT_EQ(reports_.back().state, kStopped);
}

}  // namespace
}  // namespace winperf
