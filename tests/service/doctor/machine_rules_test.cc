// The account and Perflib's settings: the limits of each rule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/service/doctor/world.h"

namespace winperf::testing {
namespace {

using ::testing::HasSubstr;

TEST(TestLevelSet, IsAnyLevelButWindowsDefault) {
  for (const std::optional<std::uint32_t> level :
       {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(0),
        std::optional<std::uint32_t>(3), std::optional<std::uint32_t>(4),
        std::optional<std::uint32_t>(5)}) {
    World world = healthy_world();
    world.machine.perflib.ext_counter_test_level = level;
    EXPECT_EQ(world.finds(Reason::kTestLevelSet), level.value_or(4) != 4);
  }
}

TEST(AccessDenied, IsWhateverCouldNotBeRead) {
  World world = healthy_world();
  world.failed(ErrorCode::kAccessDenied);
  EXPECT_THAT(world.diagnosis().cause.sentence,
              HasSubstr("this account may not read performance counters"));
  world = healthy_world();
  world.machine.perflib.access = Access::kDenied;
  EXPECT_THAT(world.diagnosis().cause.sentence, HasSubstr("Perflib's registry key"));
  EXPECT_EQ(world.diagnosis().status, Severity::kWarning) << "it is delivered";
  world = healthy_world();
  world.provider().access = Access::kDenied;
  EXPECT_THAT(world.diagnosis().cause.sentence, HasSubstr("the registry key of the provider"));
  EXPECT_FALSE(healthy_world().finds(Reason::kAccessDenied));
}

TEST(NotPrivileged, IsAnAccountThatIsKnownToHaveNoneOfTheGroups) {
  const std::optional<bool> values[]{std::nullopt, false, true};
  for (const auto administrator : values) {
    for (const auto monitor : values) {
      for (const auto log : values) {
        World world = healthy_world();
        world.absent().machine.token = {.account = "HOST\\someone",
                                        .administrator = administrator,
                                        .performance_monitor_users = monitor,
                                        .performance_log_users = log};
        EXPECT_EQ(world.finds(Reason::kNotPrivileged),
                  administrator == false && monitor == false && log == false);
      }
    }
  }
}

TEST(NotPrivileged, ExplainsAnEmptyListToo) {
  World world = healthy_world();
  world.machine.token.performance_monitor_users = false;
  EXPECT_FALSE(world.finds(Reason::kNotPrivileged)) << "it has instances";
  world.object().instances = world.object().matching_instances = 0;
  EXPECT_TRUE(world.finds(Reason::kNotPrivileged));
  world.object().multi_instance = false;
  EXPECT_FALSE(world.finds(Reason::kNotPrivileged)) << "it never has any";
  world.unknown();
  EXPECT_FALSE(world.finds(Reason::kNotPrivileged)) << "no right gives it a name";
}

}  // namespace
}  // namespace winperf::testing
