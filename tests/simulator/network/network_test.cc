// What the machines of the simulated network do, as far as it leaves this process whole.
#include "tests/simulator/network/network.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/sampler/sampler.h"
#include "collectors/sources/platform.h"
#include "collectors/wire/block_view.h"
#include "collectors/wire/text.h"
#include "tests/simulator/codes.h"
#include "tests/simulator/network/network_perflib.h"
#include "tests/simulator/path_pair.h"
#include "tests/support/thorough.h"

namespace winperf::simulator {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t kSecond = 10'000'000;

// What is sampled of a target by default.
std::vector<PlannedCounterset> usual_plan(CounterPath path) {
  std::vector<PlannedCounterset> plan{planned("Processor Information", path)};
  plan.front().names.emplace_back("Processor");
  for (const char* const name :
       {"Memory", "LogicalDisk", "PhysicalDisk", "Network Interface", "System", "Process", "TCPv4"})
    plan.push_back(planned(name, path));
  return plan;
}

// Samples a machine, as the program does.
class Target {
 public:
  Target(std::unique_ptr<CounterSource> registry, PerflibApi& perflib, const std::string& machine,
         std::vector<PlannedCounterset> plan)
      : registry_(std::move(registry)),
        perflib_(perflib, machine),
        sampler_({.registry = *registry_, .perflib = &perflib_}, slot_, std::move(plan),
                 {.steady_now = [this] { return steady_; },
                  .wall_now = [] { return Ticks100ns{Now{}.time_100ns}; }},
                 {}) {}

  std::shared_ptr<const Sample> round() {
    sampler_.step({});
    steady_ += std::chrono::seconds(1);
    return slot_.latest();
  }

 private:
  std::unique_ptr<CounterSource> registry_;
  PerflibClient perflib_;
  std::chrono::steady_clock::time_point steady_;
  SampleSlot slot_;
  Sampler sampler_;
};

// Which countersets failed, and what was wrong with the data of others.
std::string troubles(const Sample& sample) {
  std::string text;
  for (const CountersetState& state : sample.countersets)
    if (!state.success) text += state.name + ": " + describe_failure(state) + '\n';
  for (const ProblemCount& problem : sample.problems)
    text += problem.counterset + ": " + describe(problem.last) + '\n';
  return text;
}

class NetworkTest : public ::testing::Test {
 protected:
  std::unique_ptr<CounterSource> source(const std::string& machine) {
    return network_.registry_of(machine, {}).value();
  }

  Target target(const std::string& machine, CounterPath path = CounterPath::kRegistry) {
    return {source(machine), perflib_, machine, usual_plan(path)};
  }

  // A machine's name table, each text in a line of its own.
  std::string names(const std::string& machine, Language language = Language::kEnglish) {
    const auto table = source(machine)->text_tables(TextTable::kCounter, language).front().value();
    std::u16string text(table.size() / sizeof(char16_t), u' ');
    std::memcpy(text.data(), table.data(), table.size());
    std::ranges::replace(text, u'\0', u'\n');
    return to_utf8(text);
  }

  std::vector<std::byte> block(const std::string& machine, std::string_view objects = "2") {
    return source(machine)->query(objects, {}).value().blocks.front();
  }

  std::int64_t perf_time(const std::string& machine) {
    return BlockView::parse(block(machine)).value().clocks().perf_time.ticks;
  }

  std::int64_t time_ = Now{}.time_100ns;
  Network network_{[this] { return time_; }};
  Machine local_;
  NetworkPerflib perflib_{local_, network_};
};

TEST_F(NetworkTest, AMachineHasWhatAServerHasOnAllPaths) {
  for (const CounterPath path : {CounterPath::kRegistry, CounterPath::kAuto}) {
    Target server = target("srv-001", path);
    server.round();
    time_ += kSecond;
    const auto sample = server.round();
    EXPECT_EQ(troubles(*sample), "");
    for (const CountersetState& state : sample->countersets)
      EXPECT_GE(state.sample->rows(), 1u) << state.name;
  }
}

TEST_F(NetworkTest, ItsReplyIsAsLargeAsThatOfAServer) {
  EXPECT_GE(block("srv-001", "230").size(), 30'000u) << "its processes alone";
}

TEST_F(NetworkTest, ItHasOneNameHoweverItIsWritten) {
  EXPECT_EQ(&network_.host("srv-001"), &network_.host(R"(\\SRV-001)"));
  EXPECT_NE(&network_.host("srv-001"), &network_.host("srv-002"));
}

TEST_F(NetworkTest, EveryMachineCountsForItself) {
  EXPECT_NE(block("srv-001"), block("srv-002"));
  EXPECT_NE(perf_time("srv-001"), perf_time("srv-002"));
}

TEST_F(NetworkTest, AnotherProcessGoesOnWhereOneStopped) {
  Network other([this] { return time_; });
  const auto registry = other.registry_of("srv-001", {}).value();
  const auto there = [&] { return registry->query("2 230", {}).value().blocks.front(); };
  EXPECT_EQ(block("srv-001", "2 230"), there());
  const auto before = there();
  const std::int64_t began = perf_time("srv-001");
  time_ += 15 * kSecond;
  EXPECT_NE(block("srv-001", "2 230"), before);
  EXPECT_EQ(block("srv-001", "2 230"), there());
  EXPECT_EQ(perf_time("srv-001") - began, 15 * kSecond);
}

TEST_F(NetworkTest, ARestartSetsEverythingBack) {
  Target server = target("reboots-1");
  int restarts = 0;
  std::int64_t before = 0;
  for (int i = 0; i < 12; ++i, time_ += 15 * kSecond) {
    EXPECT_EQ(troubles(*server.round()), "");
    const std::int64_t now = perf_time("reboots-1");
    EXPECT_LT(now, 60 * kSecond);
    if (now < before) ++restarts;
    before = now;
  }
  EXPECT_GE(restarts, 2) << "in nearly three minutes";
}

TEST_F(NetworkTest, OneThatIsNumberedDifferentlyHasTheSameCountersets) {
  const std::string usual = names("srv-001");
  const std::string other = names("renumbered-1");
  EXPECT_THAT(usual, HasSubstr("\n230\nProcess\n"));
  EXPECT_THAT(other, Not(HasSubstr("\n230\n")));
  EXPECT_THAT(other, HasSubstr("\nProcess\n"));
  EXPECT_NE(other, names("renumbered-2"));
  EXPECT_EQ(usual, names("srv-002"));
  EXPECT_EQ(troubles(*target("renumbered-1").round()), "");
}

TEST_F(NetworkTest, AGermanOneHasEnglishNamesToo) {
  EXPECT_EQ(names("german-1"), names("srv-001"));
  const std::string german = names("german-1", Language::kMachine);
  EXPECT_THAT(german, HasSubstr("\n230\nProzess\n")) << "by a V1 provider";
  EXPECT_THAT(german, HasSubstr("\nProzessorinformationen\n")) << "by a V2 provider";
  EXPECT_THAT(german, HasSubstr("\n4\nArbeitsspeicher\n"));
  EXPECT_EQ(names("srv-001", Language::kMachine), names("srv-001"));
  EXPECT_EQ(troubles(*target("german-1", CounterPath::kAuto).round()), "");
}

TEST_F(NetworkTest, AnOldOneHasOnlyWhatTheRegistryShows) {
  EXPECT_FALSE(source("old-1")->supports_metadata());
  EXPECT_TRUE(source("srv-001")->supports_metadata());
  EXPECT_THAT(names("old-1"), Not(HasSubstr("\nProcessor Information\n")));
  std::uint32_t actual = 0;
  EXPECT_EQ(perflib_.enumerate_countersets(u"old-1", {}, actual), kEndpointNotRegistered);
  EXPECT_EQ(troubles(*target("old-1").round()), "") << "Processor is there";
}

TEST_F(NetworkTest, WhoRefusesSaysWhyOnBothPaths) {
  struct Row {
    const char* machine;
    ErrorCode code;
    std::uint32_t os_code, perflib;
  };
  const Row rows[] = {{"gone-1", ErrorCode::kOsError, kBadNetworkPath, kServerUnavailable},
                      {"nobody", ErrorCode::kOsError, kBadNetworkPath, kServerUnavailable},
                      {"denied-1", ErrorCode::kAccessDenied, kAccessDenied, kAccessDenied}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.machine);
    const Error expected{.code = row.code, .where = kConnecting, .os_code = row.os_code};
    const auto registry = source(row.machine);
    EXPECT_EQ(registry->query("2", {}).error(), expected);
    EXPECT_EQ(registry->text_tables(TextTable::kCounter, Language::kEnglish).front().error(),
              expected);
    EXPECT_EQ(registry->provider_generation(), 0u) << "it doesn't tell";
    PerflibHandle query{};
    EXPECT_EQ(perflib_.open_query(to_utf16(row.machine), query), row.perflib);
  }
}

TEST_F(NetworkTest, OneThatLiesDoesNoHarm) {
  for (const CounterPath path : {CounterPath::kRegistry, CounterPath::kAuto}) {
    Target liar = target("lies-1", path);
    std::set<std::string> seen;
    for (std::size_t i = 0; i < testing::tried(40, 160); ++i, time_ += kSecond)
      seen.insert(troubles(*liar.round()));
    EXPECT_GE(seen.size(), 16u) << "each lie is about something else";
  }
}

TEST_F(NetworkTest, OneThatHangsLaterAnswersAtFirst) {
  const auto registry = source("hangs-later-1");
  for (int i = 0; i < Host::kAnswersBeforeHanging; ++i) EXPECT_TRUE(registry->query("2", {})) << i;
}

TEST_F(NetworkTest, QueriesOfSeveralMachinesAreKeptApart) {
  PerflibHandle first{};
  PerflibHandle second{};
  ASSERT_EQ(perflib_.open_query(u"srv-001", first), kSuccess);
  ASSERT_EQ(perflib_.open_query(u"srv-002", second), kSuccess);
  EXPECT_NE(first, second);
  EXPECT_EQ(network_.host("srv-001").perflib().open_queries(), 1u);
  EXPECT_EQ(perflib_.close_query(first), kSuccess);
  EXPECT_EQ(network_.host("srv-001").perflib().open_queries(), 0u);
  EXPECT_EQ(network_.host("srv-002").perflib().open_queries(), 1u);
  EXPECT_EQ(perflib_.close_query(first), kInvalidHandle);
  EXPECT_EQ(perflib_.close_query(second), kSuccess);
}

TEST_F(NetworkTest, WithoutANameItIsThisMachine) {
  std::uint32_t countersets = 0;
  EXPECT_EQ(perflib_.enumerate_countersets(u"", {}, countersets), kSuccess);
  EXPECT_EQ(countersets, 0u) << "it has none";
}

}  // namespace
}  // namespace winperf::simulator
