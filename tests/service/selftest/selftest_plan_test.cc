// Which checks are made, and what is said before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "service/selftest/selftest.h"

namespace winperf::selftest {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const SelfCheck kReads{.id = "reads", .title = "Reads", .does = "reads something"};
const SelfCheck kChanges{.id = "changes",
                         .title = "Changes",
                         .does = "installs something",
                         .changes = "something is installed",
                         .needs_administrator = true};

SelftestPlan plan(std::vector<std::string> only, std::vector<std::string> with, bool is_admin) {
  return {.checks = {kReads, kChanges},
          .only = std::move(only),
          .with = std::move(with),
          .settings = {},
          .program = {},
          .is_administrator = is_admin};
}

TEST(SelftestPlan, MakesWhatChangesNothing) {
  EXPECT_EQ(why_skipped(kReads, plan({}, {}, false)), "");
  EXPECT_THAT(why_skipped(kChanges, plan({}, {}, true)), HasSubstr("--with changes"));
}

TEST(SelftestPlan, NeedsBothTheWordAndTheRights) {
  EXPECT_THAT(why_skipped(kChanges, plan({}, {"changes"}, false)), HasSubstr("elevated prompt"));
  EXPECT_EQ(why_skipped(kChanges, plan({}, {"changes"}, true)), "");
}

TEST(SelftestPlan, OnlyLeavesOutTheOthers) {
  EXPECT_THAT(why_skipped(kReads, plan({"other"}, {}, false)), HasSubstr("--only"));
  // --only alone is no consent.
  EXPECT_THAT(why_skipped(kChanges, plan({"changes"}, {}, true)), HasSubstr("--with changes"));
  EXPECT_EQ(why_skipped(kChanges, plan({"reads"}, {"changes"}, true)), "");
}

TEST(SelftestPlan, SaysBeforeWhatItChanges) {
  const std::string harmless = plan_text(plan({}, {}, true));
  EXPECT_THAT(harmless, HasSubstr("It makes no lasting change: only temporary files in "));
  EXPECT_THAT(harmless, Not(HasSubstr("installs something")));
  EXPECT_THAT(plan_text(plan({}, {"changes"}, true)),
              HasSubstr("  changes: something is installed\n"));
}

TEST(SelftestPlan, SaysHowLongItTakes) {
  SelftestPlan timed = plan({}, {}, true);
  EXPECT_THAT(plan_text(timed), HasSubstr("This takes about a minute.\n"));
  timed.checks[0].takes = std::chrono::seconds(61);
  timed.checks[1].takes = std::chrono::seconds(1'000);  // it isn't made
  EXPECT_THAT(plan_text(timed), HasSubstr("This takes about 2 minutes.\n"));
  timed.checks[0].takes_load_time = true;
  timed.settings.load_time = std::chrono::minutes(5);
  EXPECT_THAT(plan_text(timed), HasSubstr("This takes about 7 minutes: reads 6, the others 1.\n"));
  timed.checks.push_back(
      {.id = "more", .title = "More", .does = "more", .takes = std::chrono::minutes(1)});
  EXPECT_THAT(plan_text(timed), HasSubstr("This takes about 8 minutes: reads 6, the others 2.\n"));
  timed.only = {"more"};
  EXPECT_THAT(plan_text(timed), HasSubstr("This takes about a minute.\n"));
}

TEST(SelftestChecks, HaveDifferentIdsAndWords) {
  std::set<std::string_view> ids;
  for (const SelfCheck& check : all_checks()) {
    EXPECT_TRUE(ids.insert(check.id).second) << check.id;
    EXPECT_NE(check.id, "all");
    EXPECT_FALSE(check.title.empty() || check.does.empty()) << check.id;
    EXPECT_NE(check.run, nullptr) << check.id;
    EXPECT_GT(check.takes.count(), 0) << check.id;
    EXPECT_TRUE(check.changes.empty() || check.needs_administrator) << check.id;
  }
}

}  // namespace
}  // namespace winperf::selftest
