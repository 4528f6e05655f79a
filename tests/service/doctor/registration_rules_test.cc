// How a V1 provider is registered: the limits of each rule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/service/doctor/world.h"

namespace winperf::testing {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(AllV1Disabled, IsNoReasonForV2Countersets) {
  World world = healthy_world();
  world.absent().machine.perflib.disable_performance_counters = 1;
  EXPECT_TRUE(world.finds(Reason::kAllV1Disabled));
  world.machine.v2 = {{.name = "Other", .guid = {}, .provider = "P", .running = true}};
  EXPECT_TRUE(world.finds(Reason::kAllV1Disabled));
  world.machine.v2 = {{.name = "Things", .guid = {}, .provider = "P", .running = true}};
  EXPECT_FALSE(world.finds(Reason::kAllV1Disabled));
}

TEST(Disabled, MeansAValueThatIsNotZero) {
  for (const std::optional<std::uint32_t> value :
       {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(0),
        std::optional<std::uint32_t>(1), std::optional<std::uint32_t>(4)}) {
    World world = healthy_world();
    world.absent().machine.perflib.disable_performance_counters = value;
    EXPECT_EQ(world.finds(Reason::kAllV1Disabled), value.value_or(0) != 0);
    world = healthy_world();
    world.absent().provider().disable_performance_counters = value;
    EXPECT_EQ(world.finds(Reason::kProviderDisabled), value.value_or(0) != 0);
  }
}

TEST(Library, IsMissingOrUnusableAsItsFileSays) {
  struct Row {
    Access access;
    std::optional<ErrorCode> error;
    bool missing, unusable;
    const char* says;
  };
  for (const Row& row :
       {Row{Access::kUnknown, {}, false, false, ""},
        Row{Access::kUnknown, ErrorCode::kOsError, false, false, ""},
        Row{Access::kAbsent, ErrorCode::kNoSuchFile, true, false, ""},
        Row{Access::kReadable, {}, false, false, ""},
        Row{Access::kReadable, ErrorCode::kBadSignature, false, true, "is not a Windows library"},
        Row{Access::kDenied, ErrorCode::kAccessDenied, false, true, "cannot be opened"}}) {
    World world = healthy_world();
    world.absent().provider().file = {.access = row.access, .machine = {}, .error = {}};
    if (row.error) world.provider().file.error = Error{.code = *row.error};
    EXPECT_EQ(world.finds(Reason::kLibraryMissing), row.missing);
    EXPECT_EQ(world.finds(Reason::kLibraryUnusable), row.unusable);
    EXPECT_THAT(world.diagnosis().cause.sentence, HasSubstr(row.says));
    const bool shows_rights = world.diagnosis().cause.repair.front().command.starts_with("icacls");
    EXPECT_EQ(shows_rights, row.access == Access::kDenied);
  }
}

TEST(Library, IsDamagedIfItsFunctionsCannotBeFoundAndNothingIsDelivered) {
  struct Row {
    ErrorCode error;
    bool damaged;
  };
  for (const Row& row : {Row{ErrorCode::kTruncated, true}, Row{ErrorCode::kBadOffset, true},
                         Row{ErrorCode::kLimitExceeded, false}, Row{ErrorCode::kOsError, false}}) {
    World world = healthy_world();
    world.provider().file.exports.reset();
    world.provider().file.exports_error = Error{.code = row.error};
    EXPECT_FALSE(world.finds(Reason::kLibraryUnusable)) << "Windows has found them";
    world.absent();
    EXPECT_EQ(world.finds(Reason::kLibraryUnusable), row.damaged);
    world.provider().file.machine = PeMachine::kX86;
    EXPECT_FALSE(world.finds(Reason::kLibraryUnusable)) << "it is not loaded anyway";
  }
}

TEST(LibraryWrongBitness, AdvisesTheHostFor32BitLibrariesOf64BitProgramsOnly) {
  for (const PeMachine library :
       {PeMachine::kX86, PeMachine::kArm, PeMachine::kX64, PeMachine::kArm64}) {
    for (const PeMachine program : {PeMachine::kX86, PeMachine::kX64, PeMachine::kArm64}) {
      World world = healthy_world();
      world.absent().provider().file.machine = library;
      world.machine.process_machine = program;
      EXPECT_EQ(world.finds(Reason::kLibraryWrongBitness), library != program);
      if (library == program) continue;
      const bool is_narrow = library == PeMachine::kX86 || library == PeMachine::kArm;
      const bool advises = world.diagnosis().cause.repair.front().command == "sc start PerfHost";
      EXPECT_EQ(advises, is_narrow && program != PeMachine::kX86);
    }
  }
  World unknown = healthy_world();
  unknown.absent().provider().file.machine = PeMachine::kX86;
  unknown.machine.process_machine.reset();
  EXPECT_FALSE(unknown.finds(Reason::kLibraryWrongBitness));
}

TEST(LibraryWrongBitness, RepairsTheHostAsFarAsItIsAtFault) {
  using Commands = std::vector<std::string>;
  struct Row {
    std::optional<PerfHost> state;
    Commands commands;
    const char* evidence;
  };
  const std::string start = "sc start PerfHost";
  const std::string enable = "sc config PerfHost start= demand";
  for (const Row& row :
       {Row{{}, {start, enable}, ""}, Row{PerfHost::kStopped, {start}, "is stopped"},
        Row{PerfHost::kDisabled, {enable, start}, "is disabled"},
        Row{PerfHost::kRunning, {}, "is running"}, Row{PerfHost::kAbsent, {}, "is absent"}}) {
    World world = healthy_world();
    world.absent().provider().file.machine = PeMachine::kX86;
    world.machine.perf_host = row.state;
    const Finding cause = world.diagnosis().cause;
    Commands commands;
    for (const RepairStep& step : cause.repair)
      if (!step.command.empty()) commands.push_back(step.command);
    EXPECT_EQ(commands, row.commands) << row.evidence;
    EXPECT_EQ(cause.evidence.size(), row.state ? 3U : 2U) << row.evidence;
    EXPECT_THAT(cause.evidence, Contains(HasSubstr(row.evidence)));
  }
}

// Windows' own counters, up to this index, have no range in the registry.
TEST(StaleRegistration, IsOneOfAnIndexAboveWindowsOwn) {
  for (const std::optional<std::uint32_t> base :
       {std::optional<std::uint32_t>(2'000), std::optional<std::uint32_t>()}) {
    const std::uint32_t last = base.value_or(1'847);
    for (const std::uint32_t index : {last - 1, last, last + 1}) {
      World world = healthy_world();
      world.absent().facts.names[0].indices = {ObjectIndex{index}};
      world.machine.base_last_index = base;
      world.machine.providers.clear();
      EXPECT_EQ(world.finds(Reason::kStaleRegistration), index > last) << index;
    }
  }
}

TEST(StaleRegistration, IsOneOutsideTheRangeOfItsProvider) {
  struct Row {
    std::optional<std::uint32_t> first, last;
    bool stale;
  };
  for (const Row& row :
       {Row{1'850, 1'850, false}, Row{1'849, 1'851, false}, Row{1'851, 1'860, true},
        Row{1'840, 1'849, true}, Row{{}, 1'860, true}, Row{1'840, {}, true}}) {
    World world = healthy_world();
    world.absent().provider().first_counter = row.first;
    world.provider().last_counter = row.last;
    EXPECT_EQ(world.finds(Reason::kStaleRegistration), row.stale);
  }
}

TEST(StaleRegistration, IsNotKnownOfARecordingOrOfWhatIsDelivered) {
  World world = healthy_world();
  world.machine.providers.clear();
  EXPECT_FALSE(world.finds(Reason::kStaleRegistration)) << "delivered";
  world.absent();
  EXPECT_TRUE(world.finds(Reason::kStaleRegistration));
  world.machine.v2 = {{.name = "Things"}};
  EXPECT_FALSE(world.finds(Reason::kStaleRegistration)) << "a V2 counterset";
  world.machine.v2.reset();
  world.machine.registry_known = false;
  EXPECT_FALSE(world.finds(Reason::kStaleRegistration));
}

TEST(MetadataUnsupported, IsNotedOnlyIfTheKeysCouldBeRead) {
  World world = healthy_world();
  world.machine.perflib.supports_metadata = 0;
  EXPECT_TRUE(world.finds(Reason::kMetadataUnsupported));
  world.machine.perflib.access = Access::kDenied;
  EXPECT_FALSE(world.finds(Reason::kMetadataUnsupported));
  world = healthy_world();
  world.provider().collect_supports_metadata = 0;
  world.provider().access = Access::kDenied;
  EXPECT_FALSE(world.finds(Reason::kMetadataUnsupported));
  world.machine.registry_known = false;
  world.provider().access = Access::kReadable;
  EXPECT_FALSE(world.finds(Reason::kMetadataUnsupported));
}

}  // namespace
}  // namespace winperf::testing
