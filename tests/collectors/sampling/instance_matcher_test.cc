#include "collectors/sampling/selected_instances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace winperf {
namespace {

using ::testing::ElementsAre;

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

TEST(MatchInstances, DoesNotMixParentAndName) {
  EXPECT_THAT(match_instances(std::vector{named("bc", "a")}, std::vector{named("c", "ab")}),
              ElementsAre(kNewInstance));
}

TEST(MatchInstances, NeverGivesAPreviousRowTwice) {
  const std::vector previous{named("x")};
  const std::vector current{named("x"), named("x")};
  EXPECT_THAT(match_instances(previous, current), ElementsAre(0, kNewInstance));
}

// One part of the identity, and how two instances may differ in it.
struct Part {
  const char* name;
  std::function<void(InstanceSchema&)> change;
};

const std::vector<Part> kParts{
    {"parent", [](InstanceSchema& instance) { instance.parent = "other"; }},
    {"name", [](InstanceSchema& instance) { instance.name = "other"; }},
    {"unique id", [](InstanceSchema& instance) { instance.unique_id = 2; }},
    {"process id", [](InstanceSchema& instance) { instance.process_id = 2; }},
    {"thread id", [](InstanceSchema& instance) { instance.thread_id = 2; }},
    {"start time", [](InstanceSchema& instance) { instance.started = 2; }},
    {"no unique id", [](InstanceSchema& instance) { instance.unique_id.reset(); }},
    {"no process id", [](InstanceSchema& instance) { instance.process_id.reset(); }},
    {"no thread id", [](InstanceSchema& instance) { instance.thread_id.reset(); }},
    {"no start time", [](InstanceSchema& instance) { instance.started.reset(); }},
};

// `ids`: of all four kinds.
InstanceSchema thread(std::uint32_t ids) {
  InstanceSchema instance = named("worker", "server");
  instance.unique_id = ids;
  instance.process_id = ids;
  instance.thread_id = ids;
  instance.started = ids;
  return instance;
}

TEST(MatchInstances, InstancesAreTheSameOnlyIfTheyAgreeInEveryPart) {
  for (const std::uint32_t ids : {0U, 1U}) {
    for (unsigned differing = 0; differing < 1U << kParts.size(); ++differing) {
      InstanceSchema other = thread(ids);
      std::string names;
      for (std::size_t part = 0; part < kParts.size(); ++part) {
        if ((differing >> part & 1) == 0) continue;
        kParts[part].change(other);
        names += std::string(kParts[part].name) + ", ";
      }
      const bool same = differing == 0;
      const std::vector one{thread(ids)}, another{other}, both{thread(ids), other},
          reversed{other, thread(ids)};
      ASSERT_THAT(match_instances(one, another), ElementsAre(same ? 0 : kNewInstance)) << names;
      const auto matched = match_instances(both, reversed);
      if (same) {
        ASSERT_THAT(matched, ElementsAre(0, 1)) << "equal rows keep their order";
      } else {
        ASSERT_THAT(matched, ElementsAre(1, 0)) << names << "whatever the order";
      }
    }
  }
}

TEST(MatchInstances, PositionAndDuplicateNumberSayNothing) {
  InstanceSchema moved = thread(1);
  moved.ordinal = 7;
  moved.duplicate = 3;
  EXPECT_THAT(match_instances(std::vector{thread(1)}, std::vector{moved}), ElementsAre(0));
}

TEST(MatchInstances, EqualInstancesAreMatchedInListOrderHoweverManyThereAre) {
  const std::vector three(3, named("java"));
  EXPECT_THAT(match_instances(three, three), ElementsAre(0, 1, 2));
  const std::vector mixed{named("java"), named("x"), named("java"), named("java"), named("java")};
  EXPECT_THAT(match_instances(mixed, std::vector(5, named("java"))),
              ElementsAre(0, 2, 3, 4, kNewInstance));
}

TEST(MatchInstances, OfNoInstancesNoneIsTheSame) {
  const std::vector<InstanceSchema> none;
  const std::vector one{named("a")};
  EXPECT_THAT(match_instances(none, none), ElementsAre());
  EXPECT_THAT(match_instances(one, none), ElementsAre());
  EXPECT_THAT(match_instances(none, one), ElementsAre(kNewInstance));
}

void number(std::vector<InstanceSchema>& instances) {
  std::vector<std::uint64_t> hashes;
  for (const InstanceSchema& instance : instances) hashes.push_back(name_hash(instance));
  number_duplicates(instances, hashes);
}

TEST(NumberDuplicates, ParentAndNameDoNotRunIntoEachOther) {
  std::vector instances{named("bc", "a"), named("c", "ab"), named("abc")};
  number(instances);
  for (const InstanceSchema& instance : instances) EXPECT_EQ(instance.duplicate, 0U);
}

TEST(NumberDuplicates, CountsFromTheSecondOneWithoutRegardToCase) {
  std::vector instances{named("Chrome"), named("idle"), named("chrome"), named("CHROME"),
                        named("chrome", "parent")};
  number(instances);
  std::vector<std::string> shown;
  for (const InstanceSchema& instance : instances) shown.push_back(display_name(instance));
  EXPECT_THAT(shown, ElementsAre("Chrome", "idle", "chrome#1", "CHROME#2", "parent/chrome"));
}

InstanceSchema of_process(std::string name, std::optional<std::uint64_t> owner) {
  InstanceSchema instance = named(std::move(name));
  instance.owner = owner;
  return instance;
}

TEST(MatchInstances, TakesTheNameOfAnotherProcessForANewInstance) {
  const std::vector previous{of_process("w3wp", 10), of_process("app", 20)};
  const std::vector current{of_process("w3wp", 11), of_process("app", 20)};
  EXPECT_THAT(match_instances(previous, current), ElementsAre(kNewInstance, 1));
}

TEST(MatchInstances, KnowsAnInstanceWhoseProcessIsUnknownInOneSample) {
  const std::vector known{of_process("w3wp", 10)};
  const std::vector unknown{of_process("w3wp", std::nullopt)};
  EXPECT_THAT(match_instances(unknown, known), ElementsAre(0));
  EXPECT_THAT(match_instances(known, unknown), ElementsAre(0));
}

TEST(MatchInstances, OfOneNameGoByTheirProcessesFirst) {
  const std::vector previous{of_process("w3wp", 10), of_process("w3wp", std::nullopt),
                             of_process("w3wp", 12)};
  const std::vector current{of_process("w3wp", 12), of_process("w3wp", 13), of_process("w3wp", 14)};
  EXPECT_THAT(match_instances(previous, current), ElementsAre(2, 1, kNewInstance));
}

}  // namespace
}  // namespace winperf
