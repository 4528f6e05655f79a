// What is wrong with the registration of the exporter's own counters, one thing at a time.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "service/doctor/checks.h"
#include "service/doctor/rules.h"

namespace winperf::testing {
namespace {

constexpr char kOwnLibrary[] = R"(C:\w\winperf_exporter_perf.dll)";

CounterCheck sound_v1() {
  CounterCheck counters{.road = CounterRoad::kV1, .library = kOwnLibrary};
  CounterKey key = counter_key_for(kOwnLibrary);
  key.first_counter = 5000;
  key.first_help = 5001;
  key.last_counter = 5000 + 2 * static_cast<std::uint32_t>(counter_names() - 1);
  key.last_help = *key.last_counter + 1;
  counters.facts = {.key = key, .message_file = kOwnLibrary, .v2_countersets = 0};
  return counters;
}

CounterCheck sound_v2() {
  CounterCheck counters{.road = CounterRoad::kV2, .library = kOwnLibrary};
  counters.facts.v2_countersets = 2;
  return counters;
}

// Of the cause and everything else that was found.
std::vector<Reason> reasons_of_check(const CheckResult& result) {
  std::vector<Reason> reasons{result.cause.reason};
  for (const Finding& finding : result.also) reasons.push_back(finding.reason);
  return reasons;
}

void expect_only(const CounterCheck& counters, Reason reason, Severity severity) {
  const CheckResult result = check(counters);
  EXPECT_EQ(reasons_of_check(result), std::vector{reason}) << name_of(reason);
  EXPECT_EQ(result.status, severity);
  EXPECT_FALSE(result.cause.repair.empty());
  EXPECT_FALSE(result.cause.evidence.empty());
}

constexpr char kRepairCounters[] = "winperf_exporter doctor --repair counters";

TEST(CounterCheck, SoundOnes_AreOk) {
  const CheckResult v1 = check(sound_v1());
  EXPECT_EQ(v1.status, Severity::kOk);
  EXPECT_EQ(v1.check, "counters");
  EXPECT_EQ(v1.subject, "v1");
  EXPECT_TRUE(v1.cause.sentence.starts_with("registered, v1: C:\\w\\winperf_exporter_perf.dll"));
  EXPECT_TRUE(v1.also.empty());
  EXPECT_EQ(check(sound_v2()).status, Severity::kOk);
  CounterCheck none{.road = CounterRoad::kNone, .library = kOwnLibrary};
  none.facts.v2_countersets = 0;
  EXPECT_EQ(check(none).cause.sentence, "none are registered");
  EXPECT_EQ(check(none).status, Severity::kOk);
}

TEST(CounterCheck, WhatWindowsDoesNotSay_IsNoFailure) {
  CounterCheck unknown = sound_v2();
  unknown.facts.v2_countersets.reset();
  EXPECT_EQ(check(unknown).status, Severity::kOk);
}

TEST(CounterCheck, NotRegistered_IsAFailure) {
  CounterCheck v1 = sound_v1();
  v1.facts.key.reset();
  expect_only(v1, Reason::kCountersNotRegistered, Severity::kFailed);
  EXPECT_EQ(check(v1).cause.repair.front().command, kRepairCounters);
  for (const std::size_t known : {0U, 1U}) {
    CounterCheck v2 = sound_v2();
    v2.facts.v2_countersets = known;
    expect_only(v2, Reason::kCountersNotRegistered, Severity::kFailed);
  }
}

TEST(CounterCheck, EachIndexThatIsMissing_IsAFailure) {
  for (const auto member : {&CounterKey::first_counter, &CounterKey::last_counter,
                            &CounterKey::first_help, &CounterKey::last_help}) {
    CounterCheck counters = sound_v1();
    ((*counters.facts.key).*member).reset();
    expect_only(counters, Reason::kCountersWithoutIndices, Severity::kFailed);
  }
}

TEST(CounterCheck, MissingLibrary_IsAFailure) {
  CounterCheck counters = sound_v1();
  counters.has_library = false;
  expect_only(counters, Reason::kCountersLibraryMissing, Severity::kFailed);
  EXPECT_EQ(check(counters).cause.repair.back().command, kRepairCounters);
  counters.facts.key->library.reset();
  EXPECT_EQ(check(counters).cause.sentence, "the registration names no performance DLL");
}

TEST(CounterCheck, AnotherRange_IsAFailure) {
  for (const std::uint32_t last : {5002U, 5900U}) {
    CounterCheck counters = sound_v1();
    counters.facts.key->last_counter = last;
    expect_only(counters, Reason::kCountersRangeDiffers, Severity::kFailed);
  }
}

TEST(CounterCheck, OtherNames_AreAFailureWithABackupBeforeAnythingElse) {
  CounterCheck counters = sound_v1();
  counters.foreign_titles = {"index 5000 is \"a\" instead of \"b\""};
  expect_only(counters, Reason::kCountersNamesForeign, Severity::kFailed);
  const Finding cause = check(counters).cause;
  EXPECT_EQ(cause.evidence, counters.foreign_titles);
  EXPECT_EQ(cause.repair.front().command, kRepairCounters);
  for (const RepairStep& step : cause.repair)
    EXPECT_FALSE(step.command.starts_with("lodctr /R")) << "no table is rebuilt by a command here";
  EXPECT_TRUE(cause.repair.back().command.starts_with("lodctr /S:"));
}

TEST(CounterCheck, AnotherLibrary_IsAWarning) {
  CounterCheck counters = sound_v1();
  counters.facts.key->library = R"(D:\old\winperf_exporter_perf.dll)";
  expect_only(counters, Reason::kCountersOfAnotherLibrary, Severity::kWarning);
  EXPECT_EQ(check(counters).cause.repair.front().command, kRepairCounters);
  counters.facts.key->library = R"(C:\other\their.dll)";
  EXPECT_EQ(check(counters).cause.repair.front().command, "") << "another program's key";
  counters.facts.key->library = R"(c:/W/winperf_exporter_perf.DLL)";
  EXPECT_EQ(check(counters).status, Severity::kOk);
}

TEST(CounterCheck, BothRoads_AreAWarning) {
  CounterCheck counters = sound_v1();
  counters.facts.v2_countersets = 2;
  expect_only(counters, Reason::kCountersRegisteredTwice, Severity::kWarning);
  counters.road = CounterRoad::kNone;
  expect_only(counters, Reason::kCountersRegisteredTwice, Severity::kWarning);
}

TEST(CounterCheck, WhatIsNotConfigured_IsAWarning) {
  CounterCheck v1 = sound_v1();
  v1.road = CounterRoad::kNone;
  expect_only(v1, Reason::kCountersUnwanted, Severity::kWarning);
  EXPECT_EQ(check(v1).cause.sentence,
            "the counters are registered by v1, but own_counters is none");
  CounterCheck v2 = sound_v2();
  v2.road = CounterRoad::kNone;
  expect_only(v2, Reason::kCountersUnwanted, Severity::kWarning);
  v2.is_installed = false;
  expect_only(v2, Reason::kCountersUnwanted, Severity::kWarning);
  EXPECT_EQ(check(v2).cause.repair.front().command, "winperf_exporter service uninstall");
  v2.is_installed = true;
  v2.road = CounterRoad::kV1;
  EXPECT_EQ(reasons_of_check(check(v2)),
            (std::vector{Reason::kCountersNotRegistered, Reason::kCountersUnwanted}));
}

}  // namespace
}  // namespace winperf::testing
