#include "collectors/sampling/instance_matcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace winperf {
namespace {

using testing::ElementsAre;

InstanceSchema named(std::string name, std::string parent = "") {
  InstanceSchema instance;
  instance.name = std::move(name);
  instance.parent = std::move(parent);
  return instance;
}

InstanceSchema process(std::string name, std::uint64_t id, std::uint64_t started) {
  InstanceSchema instance = named(std::move(name));
  instance.process_id = id;
  instance.started = started;
  return instance;
}

TEST(MatchInstances, FollowsNamesThroughANewOrder) {
  const std::vector previous{named("C:"), named("D:"), named("_Total")};
  const std::vector current{named("_Total"), named("C:"), named("D:")};
  EXPECT_THAT(match_instances(previous, current), ElementsAre(2, 0, 1));
}

TEST(MatchInstances, KnowsNewAndVanishedInstances) {
  const std::vector previous{named("a"), named("b")};
  const std::vector current{named("b"), named("c")};
  EXPECT_THAT(match_instances(previous, current), ElementsAre(1, kNewInstance));
}

TEST(MatchInstances, KeepsDuplicatesApartByProcessId) {
  const std::vector previous{process("svchost", 10, 1), process("svchost", 20, 2),
                             process("svchost", 30, 3)};
  const std::vector current{process("svchost", 20, 2), process("svchost", 30, 3)};
  EXPECT_THAT(match_instances(previous, current), ElementsAre(1, 2));
}

TEST(MatchInstances, TakesAReusedProcessIdForANewInstance) {
  const std::vector previous{process("worker", 10, 100)};
  EXPECT_THAT(match_instances(previous, std::vector{process("worker", 10, 500)}),
              ElementsAre(kNewInstance));
  EXPECT_THAT(match_instances(previous, std::vector{process("other", 10, 100)}),
              ElementsAre(kNewInstance));
}

TEST(MatchInstances, MatchesDuplicatesWithoutAnIdInListOrder) {
  const std::vector previous{named("java"), named("x"), named("java")};
  const std::vector current{named("java"), named("java"), named("java")};
  EXPECT_THAT(match_instances(previous, current), ElementsAre(0, 2, kNewInstance));
}

TEST(MatchInstances, TellsSameNamesUnderDifferentParentsApart) {
  const std::vector previous{named("0", "a"), named("0", "b")};
  const std::vector current{named("0", "b"), named("0", "a")};
  EXPECT_THAT(match_instances(previous, current), ElementsAre(1, 0));
}

TEST(MatchInstances, DoesNotMixPartsOfTheIdentity) {
  InstanceSchema by_unique_id = named("1");
  by_unique_id.unique_id = 23;
  InstanceSchema by_process_id = named("12");
  by_process_id.process_id = 3;
  EXPECT_THAT(match_instances(std::vector{by_unique_id}, std::vector{by_process_id}),
              ElementsAre(kNewInstance));
}

TEST(MatchInstances, NeverGivesAPreviousRowTwice) {
  const std::vector previous{named("x")};
  const std::vector current{named("x"), named("x")};
  EXPECT_THAT(match_instances(previous, current), ElementsAre(0, kNewInstance));
}

TEST(NumberDuplicates, CountsFromTheSecondOneWithoutRegardToCase) {
  std::vector instances{named("Chrome"), named("idle"), named("chrome"), named("CHROME"),
                        named("chrome", "parent")};
  number_duplicates(instances);
  std::vector<std::string> shown;
  for (const InstanceSchema& instance : instances) shown.push_back(display_name(instance));
  EXPECT_THAT(shown, ElementsAre("Chrome", "idle", "chrome#1", "CHROME#2", "parent/chrome"));
}

}  // namespace
}  // namespace winperf
