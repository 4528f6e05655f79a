// Every rule on its own: one thing is spoilt, and exactly the reason for it is found.
#include "service/doctor/rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "tests/service/doctor/world.h"

namespace winperf::testing {
namespace {

using ::testing::HasSubstr;

struct Row {
  Reason reason;
  Severity severity;
  std::function<void(World&)> spoil;
};

NameTable::Problem table_problem() {
  return {{.code = ErrorCode::kBadNumber, .where = "name table", .offset = 20}, 3};
}

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows{
      {Reason::kTargetNameUnknown, Severity::kFailed,
       [](World& w) { w.unreachable(53).target().has_address = false; }},
      {Reason::kTargetNotServed, Severity::kFailed, [](World& w) { w.unreachable(1717); }},
      {Reason::kTargetUnreachable, Severity::kFailed, [](World& w) { w.unreachable(53); }},
      {Reason::kTargetLogonFailed, Severity::kFailed, [](World& w) { w.unreachable(1326); }},
      {Reason::kTargetAccessDenied, Severity::kFailed, [](World& w) { w.unreachable(5); }},
      {Reason::kTargetFailed, Severity::kFailed, [](World& w) { w.unreachable(1450); }},
      {Reason::kTargetAccount, Severity::kNote,
       [](World& w) { w.target().identity = NetworkIdentity::kItself; }},
      {Reason::kTargetPerflibUnavailable, Severity::kNote,
       [](World& w) {
         w.target().perflib = Error{.code = ErrorCode::kTimedOut, .where = "perflib"};
       }},
      {Reason::kTargetClockDiffers, Severity::kWarning,
       [](World& w) { w.target().ahead = std::chrono::minutes(5); }},
      {Reason::kNameUnknown, Severity::kFailed, [](World& w) { w.unknown(); }},
      {Reason::kNameTableForeign, Severity::kFailed,
       [](World& w) {
         w.unknown().machine.name_tables[0].foreign = {
             {.index = 4, .text = "Speicher", .english = "Memory"},
             {.index = 238, .text = "Prozessor", .english = "Processor"}};
       }},
      {Reason::kNameTableUnreadable, Severity::kFailed,
       [](World& w) {
         w.unknown().machine.name_tables = {{.error = Error{.code = ErrorCode::kNoSuchFile}}};
       }},
      {Reason::kNameTableCorrupt, Severity::kFailed,
       [](World& w) { w.unknown().machine.name_tables[0].problems = {table_problem()}; }},
      {Reason::kNameTableGap, Severity::kFailed,
       [](World& w) {
         w.unknown().provider().named = 1;
         w.provider().nameless = 5;
       }},
      {Reason::kAllV1Disabled, Severity::kFailed,
       [](World& w) { w.absent().machine.perflib.disable_performance_counters = 1; }},
      {Reason::kProviderDisabled, Severity::kFailed,
       [](World& w) { w.absent().provider().disable_performance_counters = 1; }},
      {Reason::kLibraryMissing, Severity::kFailed,
       [](World& w) {
         w.absent().provider().file = {.access = Access::kAbsent,
                                       .machine = {},
                                       .error = Error{.code = ErrorCode::kNoSuchFile}};
       }},
      {Reason::kLibraryUnusable, Severity::kFailed,
       [](World& w) {
         w.absent().provider().file = {.access = Access::kReadable,
                                       .machine = {},
                                       .error = Error{.code = ErrorCode::kBadSignature}};
       }},
      {Reason::kLibraryWrongBitness, Severity::kFailed,
       [](World& w) { w.absent().provider().file.machine = PeMachine::kX86; }},
      {Reason::kProceduresMissing, Severity::kFailed,
       [](World& w) { w.absent().provider().collect.reset(); }},
      {Reason::kProceduresNotExported, Severity::kFailed,
       [](World& w) { w.absent().provider().file.exports->names.pop_back(); }},
      {Reason::kAccessDenied, Severity::kFailed,
       [](World& w) { w.failed(ErrorCode::kAccessDenied, 5); }},
      {Reason::kNotPrivileged, Severity::kFailed,
       [](World& w) { w.absent().machine.token.performance_monitor_users = false; }},
      {Reason::kObjectCostly, Severity::kWarning,
       [](World& w) { w.facts.trial->took = std::chrono::milliseconds(2'501); }},
      {Reason::kConfigurationFlagsSet, Severity::kNote,
       [](World& w) { w.machine.perflib.configuration_flags = 0xA; }},
      {Reason::kTestLevelSet, Severity::kNote,
       [](World& w) { w.machine.perflib.ext_counter_test_level = 1; }},
      {Reason::kStaleRegistration, Severity::kFailed,
       [](World& w) { w.absent().machine.providers.clear(); }},
      {Reason::kMetadataUnsupported, Severity::kNote,
       [](World& w) { w.machine.perflib.supports_metadata.reset(); }},
      {Reason::kReplaced, Severity::kFailed,
       [](World& w) { w.absent().facts.names[0].replacement = "Things V2"; }},
      {Reason::kV2ProviderNotRunning, Severity::kFailed,
       [](World& w) {
         w.unknown().machine.v2 = {
             {.name = "things", .guid = {}, .provider = "P", .running = false}};
       }},
      {Reason::kNoInstances, Severity::kWarning,
       [](World& w) { w.object().instances = w.object().matching_instances = 0; }},
      {Reason::kInstanceFilterMatchesNothing, Severity::kWarning,
       [](World& w) { w.object().matching_instances = 0; }},
      {Reason::kCounterFilterMatchesNothing, Severity::kFailed,
       [](World& w) { w.object().matching_counters = 0; }},
      {Reason::kDeliveredCorrupt, Severity::kFailed,
       [](World& w) { w.absent().facts.trial->problems = {{.code = ErrorCode::kTruncated}}; }},
      {Reason::kTimedOut, Severity::kFailed, [](World& w) { w.failed(ErrorCode::kTimedOut); }},
      {Reason::kProviderCrashed, Severity::kFailed,
       [](World& w) { w.failed(ErrorCode::kWorkerCrashed, 11); }},
      {Reason::kProviderHarm, Severity::kWarning,
       [](World& w) {
         w.facts.trial->harms = {{.provider = w.provider().service, .text = "it crashed"}};
       }},
      {Reason::kLibraryBusy, Severity::kFailed, [](World& w) { w.failed(ErrorCode::kBusy); }},
      {Reason::kReplyTooLarge, Severity::kFailed,
       [](World& w) { w.failed(ErrorCode::kBufferLimit); }},
      {Reason::kQueryFailed, Severity::kFailed,
       [](World& w) { w.failed(ErrorCode::kOsError, 1450); }},
      {Reason::kNotInCapture, Severity::kFailed, [](World& w) { w.absent().replayed(); }},
      {Reason::kProviderFailed, Severity::kFailed, [](World& w) { w.absent(); }},
      {Reason::kNotDelivered, Severity::kFailed,
       [](World& w) {
         // One of Windows' own, whose provider names neither a list nor a range.
         w.absent().facts.names[0].indices = {ObjectIndex{238}};
         w.machine.providers.clear();
       }},
      {Reason::kHealthy, Severity::kOk, [](World&) {}},
  };
  return kRows;
}

TEST(Rules, EveryReasonHasARow) {
  std::vector<Reason> reasons;
  for (const Row& row : rows()) reasons.push_back(row.reason);
  // The others have check_rules_test.cc.
  const std::vector<Reason> all{
#define RULE(reason, function) Reason::reason,
#define CHECK_RULE(reason, function)
#include "service/doctor/rule_list.inc"
  };
  EXPECT_EQ(reasons, all);
}

TEST(Rules, EachFindsItsReasonAndNoOther) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(name_of(row.reason));
    World world = healthy_world();
    row.spoil(world);
    const Diagnosis diagnosis = world.diagnosis();
    const bool is_note = row.severity == Severity::kNote;
    EXPECT_EQ(diagnosis.status, is_note ? Severity::kOk : row.severity);
    EXPECT_EQ(diagnosis.cause.reason, is_note ? Reason::kHealthy : row.reason);
    ASSERT_EQ(diagnosis.also.size(), is_note ? 1u : 0u);
    const Finding& finding = is_note ? diagnosis.also[0] : diagnosis.cause;
    EXPECT_EQ(finding.reason, row.reason);
    EXPECT_EQ(finding.severity, row.severity);
    EXPECT_FALSE(finding.sentence.empty());
    EXPECT_EQ(finding.repair.empty(),
              row.severity < Severity::kWarning && row.reason != Reason::kConfigurationFlagsSet &&
                  row.reason != Reason::kTestLevelSet && row.reason != Reason::kTargetAccount &&
                  row.reason != Reason::kTargetPerflibUnavailable);
    for (const RepairStep& step : finding.repair) EXPECT_FALSE(step.text.empty());
  }
}

TEST(Rules, WhatExplainsAnAbsenceIsAWarningWhereTheObjectIsDelivered) {
  const std::set<Reason> blocking{Reason::kAllV1Disabled,     Reason::kProviderDisabled,
                                  Reason::kLibraryMissing,    Reason::kLibraryUnusable,
                                  Reason::kProceduresMissing, Reason::kProceduresNotExported};
  for (const Row& row : rows()) {
    if (!blocking.contains(row.reason)) continue;
    SCOPED_TRACE(name_of(row.reason));
    World world = healthy_world();
    const auto object = world.facts.trial->object;
    row.spoil(world);
    world.facts.trial->object = object;
    const Diagnosis diagnosis = world.diagnosis();
    EXPECT_EQ(diagnosis.cause.reason, row.reason);
    EXPECT_EQ(diagnosis.status, Severity::kWarning);
    EXPECT_THAT(diagnosis.cause.sentence, HasSubstr("delivered now"));
  }
}

TEST(Rules, EachConfigurationFlagIsNamed) {
  const std::string changed = "some of Perflib's safeguards are turned off on this machine";
  const struct {
    std::uint32_t flags;
    const char* text;
  } rows[] = {
      {0x1, ": alignment of replies is not tested"},
      {0x2, ": failing providers are not disabled"},
      {0x4, ": replies are not tested for damage"},
      {0x8, ": time limits are ignored"},
      {0x5, ": alignment of replies is not tested, replies are not tested for damage"},
      {0xF,
       ": alignment of replies is not tested, failing providers are not disabled, "
       "replies are not tested for damage, time limits are ignored"},
      {0x10, ""},
  };
  for (const auto& row : rows) {
    World world = healthy_world();
    world.machine.perflib.configuration_flags = row.flags;
    const Diagnosis diagnosis = world.diagnosis();
    ASSERT_EQ(diagnosis.also.size(), 1u) << row.flags;
    EXPECT_EQ(diagnosis.also[0].reason, Reason::kConfigurationFlagsSet);
    EXPECT_EQ(diagnosis.also[0].sentence, changed + row.text);
  }
}

TEST(Rules, AProviderThatHasNotOptedInToMetadataIsNoted) {
  for (const std::optional<std::uint32_t> value :
       {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(0)}) {
    World world = healthy_world();
    world.provider().collect_supports_metadata = value;
    const Diagnosis diagnosis = world.diagnosis();
    EXPECT_EQ(diagnosis.status, Severity::kOk);
    ASSERT_EQ(diagnosis.also.size(), 1u);
    EXPECT_EQ(diagnosis.also[0].reason, Reason::kMetadataUnsupported);
    EXPECT_THAT(diagnosis.also[0].sentence, HasSubstr("\"thingsvc\" does not support metadata"));
    EXPECT_THAT(diagnosis.also[0].evidence.at(0), HasSubstr("Collect Supports Metadata"));
  }
}

TEST(Rules, ARecordingIsNamedAsItWasGiven) {
  const std::pair<std::string, std::string> rows[] = {
      {"replay:C:\\capture.zip", "replay:C:\\capture.zip"},
      {"blg:/tmp/it.blg", "blg:/tmp/it.blg"},
      {"replay:C:\\my captures", "\"replay:C:\\my captures\""}};
  for (const auto& [source, argument] : rows) {
    World world = healthy_world();
    const Finding cause = world.absent().replayed(source).diagnosis().cause;
    EXPECT_EQ(cause.reason, Reason::kNotInCapture);
    EXPECT_EQ(cause.repair.at(0).command, "winperf_exporter list --source " + argument);
  }
}

TEST(Rules, CountsAreSingularAndPlural) {
  World world = healthy_world();
  EXPECT_EQ(world.diagnosis().cause.sentence,
            "\"Things\" (index 1850): 5 of 5 counters, 2 of 2 instances");
  world.object().counters = world.object().matching_counters = 1;
  world.object().instances = 1;
  world.object().matching_instances = 0;
  EXPECT_EQ(world.diagnosis().cause.sentence,
            "the configured filter accepts no instance of \"Things\" (index 1850), which has 1 "
            "instance");
  world.object().matching_instances = 1;
  EXPECT_EQ(world.diagnosis().cause.sentence,
            "\"Things\" (index 1850): 1 of 1 counter, 1 of 1 instance");
}

TEST(Rules, NamesOfReasonsAreStableWordsAndDiffer) {
  std::set<std::string_view> names;
  for (std::size_t i = 0; i < kReasonCount; ++i) {
    const std::string_view name = name_of(static_cast<Reason>(i));
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), name.npos) << name;
    EXPECT_TRUE(names.insert(name).second) << name;
  }
  EXPECT_EQ(name_of(Reason::kNameUnknown), "name_unknown");
  EXPECT_EQ(name_of(Reason::kHealthy), "healthy");
}

}  // namespace
}  // namespace winperf::testing
