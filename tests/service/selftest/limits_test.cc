// What the check `limits` says about workers: each limit that isn't as it was asked for is found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "service/selftest/worker_grants.h"

namespace winperf::selftest {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

MachineGrants healthy() {
  const std::vector<Grant> all{{"privileges", "SeChangeNotifyPrivilege", "SeChangeNotifyPrivilege"},
                               {"it is in its job", "yes", "yes"},
                               {"no extension points", "0x1", "0x1"}};
  return {.workers = {{.worker = "registry",
                       .grants = all,
                       .start_took = std::chrono::milliseconds(80),
                       .private_bytes = 3'000'000,
                       .shared_bytes = 4'096},
                      {.worker = "facts", .grants = all}},
          .reserved_bytes = std::uint64_t{128} << 20,
          .commit_bytes = std::int64_t{9} << 20,
          .code_pages = {{"console_output", "932"}}};
}

CheckReport report_about(const MachineGrants& grants) {
  CheckReport report;
  add_grants(grants, report);
  return report;
}

TEST(LimitsCheck, FindsNothingWhereAllIsAsAsked) {
  const CheckReport report = report_about(healthy());
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(report.data["workers"][0]["worker"], "registry");
  EXPECT_EQ(report.data["workers"][0]["private_bytes"], 3'000'000);
  EXPECT_EQ(report.data["workers"][0]["start_ms"], 80);
  EXPECT_EQ(report.data["workers"][0]["grants"][1]["got"], "yes");
  EXPECT_TRUE(report.data["workers"][1]["private_bytes"].is_null()) << "unknown isn't zero";
  EXPECT_EQ(report.data["code_pages"]["console_output"], "932");
}

TEST(LimitsCheck, KnowsWhetherReservedMemoryCounts) {
  MachineGrants grants = healthy();
  EXPECT_FALSE(counts_reserved(grants));
  grants.commit_bytes = static_cast<std::int64_t>(grants.reserved_bytes);
  EXPECT_TRUE(counts_reserved(grants));
  grants.commit_bytes.reset();
  EXPECT_FALSE(counts_reserved(grants)) << "unknown";
  grants.commit_bytes = 0;
  grants.reserved_bytes = 0;
  EXPECT_FALSE(counts_reserved(grants)) << "no worker has started";
}

TEST(LimitsCheck, NamesEachLimitThatWasNotGranted) {
  MachineGrants grants = healthy();
  grants.workers[1].grants[0].got = "SeChangeNotifyPrivilege, SeDebugPrivilege";
  grants.workers[1].grants[2].got = "unknown";
  const CheckReport report = report_about(grants);
  ASSERT_THAT(report.findings, SizeIs(2));
  EXPECT_EQ(report.findings[0].sentence,
            "workers have other limits than were asked for: privileges");
  EXPECT_THAT(report.findings[0].details,
              ElementsAre(Pair("workers", "facts"), Pair("wanted", "SeChangeNotifyPrivilege"),
                          Pair("got", "SeChangeNotifyPrivilege, SeDebugPrivilege")));
  EXPECT_THAT(report.findings[1].sentence, HasSubstr("no extension points"));
}

TEST(LimitsCheck, NamesALimitOnceForAllWorkersThatLackIt) {
  MachineGrants grants = healthy();
  grants.workers.push_back(grants.workers[1]);
  grants.workers[2].worker = "perflib";
  for (WorkerGrants& worker : grants.workers) worker.grants[1].got = "no";
  grants.workers[2].grants[1].got = "unknown";
  const CheckReport report = report_about(grants);
  ASSERT_THAT(report.findings, SizeIs(2));
  EXPECT_THAT(report.findings[0].details, ElementsAre(Pair("workers", "registry, facts"),
                                                      Pair("wanted", "yes"), Pair("got", "no")));
  EXPECT_THAT(
      report.findings[1].details,
      ElementsAre(Pair("workers", "perflib"), Pair("wanted", "yes"), Pair("got", "unknown")));
}

TEST(LimitsCheck, NamesAWorkerThatDoesNotStart) {
  MachineGrants grants = healthy();
  grants.workers[0] = {.worker = "registry", .failure = "access denied (Windows error 5)"};
  const CheckReport report = report_about(grants);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_EQ(report.findings[0].sentence,
            "the worker registry did not start: access denied (Windows error 5)");
  EXPECT_FALSE(report.data["workers"][0].contains("grants"));
}

TEST(LimitsCheck, FindsReservedMemoryThatCounts) {
  MachineGrants grants = healthy();
  grants.commit_bytes = std::int64_t{140} << 20;
  const CheckReport report = report_about(grants);
  ASSERT_THAT(report.findings, SizeIs(1));
  EXPECT_THAT(report.findings[0].details,
              ElementsAre(Pair("reserved", "128 MiB"), Pair("rise", "140 MiB")));
  grants.commit_bytes.reset();
  EXPECT_THAT(report_about(grants).findings, IsEmpty());
  grants.commit_bytes = 0;
  grants.reserved_bytes = 0;
  EXPECT_THAT(report_about(grants).findings, IsEmpty()) << "no worker has started";
}

}  // namespace
}  // namespace winperf::selftest
