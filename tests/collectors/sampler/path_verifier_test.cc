// What counts as a difference between the paths over several rounds.
#include "collectors/sampler/path_verifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectors/base/stop.h"
#include "tests/collectors/sampler/two_paths.h"

namespace winperf {
namespace {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::TwoPaths;

class PathVerifierTest : public ::testing::Test {
 protected:
  // PerfLib's value in each round; the registry always says the same.
  VerifiedCounterset verify(std::vector<std::uint64_t> values, std::size_t rounds = 3) {
    machine_.perflib.result = [this, values](const v2::CounterRequest&) {
      return machine_.result(values.at(std::min(asked_++, values.size() - 1)));
    };
    PathVerifier verifier(machine_.source, machine_.catalog(),
                          via_perflib(machine_.connection(), machine_.clocks()), machine_.clocks(),
                          rounds);
    return verifier.verify("Shop", {});
  }

  TwoPaths machine_;
  std::size_t asked_ = 0;
};

TEST_F(PathVerifierTest, EqualValuesNeedOneRound) {
  const VerifiedCounterset result = verify({testing::kRegistryValue});
  EXPECT_EQ(result.name, "Shop");
  EXPECT_TRUE(result.agrees());
  EXPECT_TRUE(result.delivered());
  EXPECT_EQ(result.comparison.compared, 1U);
  EXPECT_EQ(asked_, 1U);
  EXPECT_THAT(machine_.source.asked, ElementsAre("100", "100")) << "before and after";
  EXPECT_EQ(machine_.now, TwoPaths::Time{});
}

TEST_F(PathVerifierTest, HostsAreComparedAsPerflibIs) {
  testing::FakeSource hosts;
  hosts.replies["100"] = {TwoPaths::block(100, testing::kRegistryValue),
                          TwoPaths::block(100, testing::kRegistryValue + 1)};
  PathVerifier verifier(machine_.source, machine_.catalog(), via_hosts(hosts, machine_.catalog()),
                        machine_.clocks(), 1);
  EXPECT_TRUE(verifier.verify("Shop", {}).agrees());
  EXPECT_THAT(verifier.verify("Shop", {}).comparison.differences,
              ElementsAre(PathDifference{"", "Open", "raw value", "7", "8"}));
  EXPECT_THAT(hosts.asked, ElementsAre("100", "100"));
  EXPECT_THAT(machine_.source.asked, ElementsAre("100", "100", "100", "100"));
}

TEST_F(PathVerifierTest, SaysThroughWhatAnInstanceWasSeen) {
  testing::FakeSource hosts;
  hosts.replies["100"] = {testing::BlockBuilder()
                              .add(testing::ObjectBuilder(100)
                                       .counter({.index = 102})
                                       .counter({.index = 200})
                                       .single({7, 1}))
                              .bytes()};
  PathVerifier verifier(machine_.source, machine_.catalog(), via_hosts(hosts, machine_.catalog()),
                        machine_.clocks(), 1);
  EXPECT_THAT(verifier.verify("Shop", {}).comparison.differences,
              ElementsAre(PathDifference{"", "Bakery", "counter only via its host", "", ""}));
}

TEST_F(PathVerifierTest, ADifferenceIsOneThatEveryRoundHas) {
  const VerifiedCounterset always = verify({1, 2, 3});
  EXPECT_FALSE(always.agrees());
  EXPECT_THAT(always.comparison.differences,
              ElementsAre(PathDifference{"", "Open", "raw value", "7", "3"}))
      << "with the last numbers";
  EXPECT_EQ(asked_, 3U);
  EXPECT_EQ(machine_.now, TwoPaths::Time{} + seconds(2)) << "a second apart";
}

TEST_F(PathVerifierTest, AgreementInAnyRoundIsAgreement) {
  EXPECT_TRUE(verify({1, 2, testing::kRegistryValue}).agrees());
  EXPECT_EQ(asked_, 3U);
  asked_ = 0;
  EXPECT_TRUE(verify({1, testing::kRegistryValue, 3}).agrees());
  EXPECT_EQ(asked_, 2U);
}

TEST_F(PathVerifierTest, AsManyRoundsAsAsked) {
  for (const std::size_t rounds : {1U, 2U, 5U}) {
    asked_ = 0;
    EXPECT_FALSE(verify({1}, rounds).agrees());
    EXPECT_EQ(asked_, rounds);
  }
}

TEST_F(PathVerifierTest, DifferencesThatAreNotTheSameAreNone) {
  // The value differs in the first round, the type in the second one.
  machine_.perflib.result = [this](const v2::CounterRequest&) {
    if (asked_++ == 0) return machine_.result(1);
    return simulator::error_result(value_of(OsCode::kInstanceNotFound));
  };
  PathVerifier verifier(machine_.source, machine_.catalog(),
                        via_perflib(machine_.connection(), machine_.clocks()), machine_.clocks(),
                        2);
  const auto result = verifier.verify("Shop", {});
  EXPECT_THAT(result.comparison.differences, IsEmpty());
  EXPECT_FALSE(result.agrees()) << "PerfLib has no sample";
  EXPECT_EQ(result.other_error->code, ErrorCode::kNotRunning);
}

TEST_F(PathVerifierTest, AfterARoundWithoutASampleAFurtherRoundConfirms) {
  for (const std::size_t rounds : {2U, 3U}) {
    asked_ = 0;
    machine_.perflib.result = [this](const v2::CounterRequest&) {
      if (asked_++ == 0) return simulator::error_result(value_of(OsCode::kInstanceNotFound));
      return machine_.result(1);
    };
    PathVerifier verifier(machine_.source, machine_.catalog(),
                          via_perflib(machine_.connection(), machine_.clocks()), machine_.clocks(),
                          rounds);
    const auto result = verifier.verify("Shop", {});
    EXPECT_THAT(result.comparison.differences,
                ElementsAre(PathDifference{"", "Open", "raw value", "7", "1"}));
    EXPECT_EQ(asked_, 3U) << rounds;
  }
}

TEST_F(PathVerifierTest, AnotherDifferenceOfTheSameCounterIsAnotherOne) {
  machine_.perflib.result = [this](const v2::CounterRequest&) {
    if (asked_++ == 0) return machine_.result(1);
    constexpr std::size_t kDataSize = 16 + 16;  // after the header and the ids
    return testing::with_field(machine_.result(testing::kRegistryValue), kDataSize, 6);
  };
  PathVerifier verifier(machine_.source, machine_.catalog(),
                        via_perflib(machine_.connection(), machine_.clocks()), machine_.clocks(),
                        2);
  EXPECT_TRUE(verifier.verify("Shop", {}).agrees()) << "a value, then a reason";
  EXPECT_EQ(asked_, 2U);
}

TEST_F(PathVerifierTest, AStopEndsTheRounds) {
  StopSource stop;
  ClockSource clocks = machine_.clocks();
  clocks.pause_until = [&stop](auto, const auto&) { stop.request_stop(); };
  machine_.perflib.result = [this](const v2::CounterRequest&) {
    ++asked_;
    return machine_.result(1);
  };
  PathVerifier verifier(machine_.source, machine_.catalog(),
                        via_perflib(machine_.connection(), clocks), clocks, 3);
  EXPECT_FALSE(verifier.verify("Shop", stop.token()).agrees()) << "as far as was seen";
  EXPECT_EQ(asked_, 1U);
}

TEST_F(PathVerifierTest, TheRegistrysErrorIsThatOfItsFirstReadingThatFailed) {
  const Error denied{.code = ErrorCode::kAccessDenied, .where = "query"};
  const Error slow{.code = ErrorCode::kTimedOut, .where = "query"};
  const Bytes good = TwoPaths::block(100, testing::kRegistryValue);
  machine_.source.replies["100"] = {std::unexpected(denied), std::unexpected(slow)};
  EXPECT_EQ(verify({7}, 1).registry_error, denied);
  machine_.source.replies["100"] = {good, std::unexpected(slow)};
  const auto after = verify({7}, 1);
  EXPECT_EQ(after.registry_error, slow);
  EXPECT_EQ(after.comparison.compared, 0U);
  EXPECT_FALSE(after.agrees());
  machine_.perflib.spoils_data = true;
  machine_.source.replies["100"] = {std::unexpected(denied)};
  const auto neither = verify({7}, 1);
  EXPECT_FALSE(neither.delivered());
  EXPECT_TRUE(neither.agrees()) << "whatever the reasons";
}

TEST_F(PathVerifierTest, ProblemsOfEveryReadingAreListed) {
  const auto nameless = [](std::uint32_t index) {
    return testing::BlockBuilder()
        .add(testing::ObjectBuilder(100).counter({.index = index}).single({7}))
        .bytes();
  };
  machine_.source.replies["100"] = {nameless(9'996), nameless(9'998)};
  const auto result = verify({7}, 1);
  std::vector<std::uint64_t> unknown;
  for (const Error& problem : result.problems) unknown.push_back(problem.actual);
  EXPECT_THAT(unknown, ElementsAre(9'996, 9'998)) << "before and after";
}

TEST_F(PathVerifierTest, NothingStaysRequested) {
  verify({7});
  EXPECT_THAT(machine_.perflib.requests(), IsEmpty());
}

}  // namespace
}  // namespace winperf
