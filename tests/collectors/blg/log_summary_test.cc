#include "collectors/blg/log_summary.h"

#include <gtest/gtest.h>

namespace winperf::blg {
namespace {

LogSummary damaged(std::uint64_t parts) {
  LogSummary summary;
  for (std::uint64_t i = 0; i < parts; ++i)
    summary.note_damage({.code = ErrorCode::kTruncated, .where = "log.record", .offset = 8 + i});
  return summary;
}

TEST(LogSummary, DescribesEverythingThatThereIsAndNothingElse) {
  LogSummary summary = damaged(2);
  const std::string damage = "2 damaged parts (the first: " + describe(*summary.first_damage) + ")";
  EXPECT_EQ(describe(summary), "0 samples of 0 counters; " + damage);
  summary.samples = 1;
  summary.counters = 1;
  summary.first_counter = "\\\\A\\B\\C";
  EXPECT_EQ(describe(summary), "1 sample of 1 counter (such as \\\\A\\B\\C); " + damage);
  summary.whole_objects = 1;
  summary.values = 2;
  summary.missing_values = 1;
  summary.v2_replies = 3;
  summary.unlisted_values.note(80, 2);
  summary.unknown_items.note(90);
  EXPECT_EQ(describe(summary),
            "1 sample of 1 counter (such as \\\\A\\B\\C): 1 whole object, 3 replies of V2 "
            "countersets, 2 values, 1 missing value, 2 values of counters that the log does not "
            "list, 1 item of an unknown kind; " +
                damage);
}

TEST(LogSummary, SaysWhoseEventsThereAreWhereThereIsNoSample) {
  LogSummary summary;
  summary.foreign_events = 2;
  EXPECT_EQ(describe(summary),
            "0 samples of 0 counters: 2 events from outside the performance library");
  summary.samples = 1;
  EXPECT_EQ(describe(summary), "1 sample of 0 counters");
}

TEST(LogSummary, TellsEachLossOnce) {
  EXPECT_EQ(describe_losses({}), "");
  LogSummary summary = damaged(1);
  const std::string damage = "1 damaged part (the first: " + describe(*summary.first_damage) + ")";
  EXPECT_EQ(describe_losses(summary), damage);
  summary.foreign_names = 2;
  EXPECT_EQ(describe_losses(summary),
            "2 name table records of machines without counters skipped; " + damage);
  summary.unlisted_values.note(90);
  summary.unknown_items.note(80, 2);
  EXPECT_EQ(
      describe_losses(summary),
      "1 value of a counter that the log does not list, 2 items of unknown kinds skipped (the "
      "first at offset 80); 2 name table records of machines without counters skipped; " +
          damage);
}

TEST(LogSummary, TellsThatTheTimeZoneIsUnknownWhereValuesNeedIt) {
  const std::string note =
      "the log's time zone is unknown: its local times are shown as if they were UTC";
  LogSummary summary;
  summary.utc_known = false;
  summary.whole_objects = 3;
  EXPECT_EQ(describe_losses(summary), "") << "blocks have times of their own";
  summary.values = 1;
  EXPECT_EQ(describe_losses(summary), note);
  summary.values = 0;
  summary.missing_values = 1;
  EXPECT_EQ(describe_losses(summary), note);
}

TEST(LogSummary, HoldsNothingKnownIfAllItHoldsIsUnknown) {
  EXPECT_FALSE(LogSummary{}.holds_nothing_known());
  for (Skipped LogSummary::* unknown : {&LogSummary::unlisted_values, &LogSummary::unknown_items,
                                        &LogSummary::unregistered_replies}) {
    LogSummary summary;
    (summary.*unknown).note(1);
    EXPECT_TRUE(summary.holds_nothing_known());
    for (std::uint64_t LogSummary::* known :
         {&LogSummary::whole_objects, &LogSummary::values, &LogSummary::missing_values,
          &LogSummary::v2_replies}) {
      LogSummary both = summary;
      both.*known = 1;
      EXPECT_FALSE(both.holds_nothing_known());
    }
  }
}

TEST(LogSummary, IsIncompleteIfSomethingOfTheLogIsNotShown) {
  EXPECT_FALSE(LogSummary{}.is_incomplete());
  EXPECT_TRUE(damaged(1).is_incomplete());
  for (Skipped LogSummary::* skipped :
       {&LogSummary::unlisted_values, &LogSummary::unregistered_replies,
        &LogSummary::other_machines_replies, &LogSummary::unknown_items,
        &LogSummary::unknown_records}) {
    LogSummary summary;
    (summary.*skipped).note(1);
    EXPECT_TRUE(summary.is_incomplete());
  }
  LogSummary shown;
  shown.v2_replies = shown.missing_values = shown.foreign_names = 1;
  shown.oldest_run = 72;
  shown.overwritten = 1;
  shown.late_samples.note(72);
  EXPECT_FALSE(shown.is_incomplete()) << "it only has to be told";
}

TEST(LogSummary, TellsInWhichOrderSamplesAre) {
  LogSummary summary;
  summary.late_samples.note(700);
  summary.late_samples.note(900);
  EXPECT_EQ(describe_losses(summary),
            "2 samples are older than the one before (the first at offset 700)");
  LogSummary wrapped;
  wrapped.oldest_run = 4096;
  EXPECT_EQ(describe_losses(wrapped),
            "the log is circular and has wrapped: the oldest sample is at offset 4096, and samples "
            "are in the order of their times");
  wrapped.overwritten = 1;
  EXPECT_EQ(
      describe_losses(wrapped),
      "the log is circular and has wrapped: the oldest sample is at offset 4096, and samples are "
      "in the order of their times; newer samples have overwritten the beginning of an older one");
}

}  // namespace
}  // namespace winperf::blg
