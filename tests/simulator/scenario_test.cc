// What a script makes of a machine, as far as the tests of the simulated executable don't show it.
#include "tests/simulator/scenario.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/simulator/pcw/kernel.h"

namespace winperf::simulator {
namespace {

using ::testing::Contains;
using ::testing::Not;

// The process has only one kernel, so what a scenario does to it is undone for the other tests.
std::expected<std::unique_ptr<Machine>, std::string> undone(const std::string& script) {
  auto machine = make_scenario("unload kcs; " + script);
  pcw::Kernel::instance().set_clock({});
  return machine;
}

std::unique_ptr<Machine> scenario(const std::string& script) {
  auto machine = undone(script);
  if (machine) return *std::move(machine);
  ADD_FAILURE() << machine.error();
  return std::make_unique<Machine>();
}

std::string refusal(const std::string& script) {
  const auto machine = undone(script);
  return machine ? "none" : machine.error();
}

std::vector<std::u16string> names_on(const Machine& machine) {
  std::vector<std::u16string> names;
  for (const Machine::Title& title : machine.counter_table()) names.push_back(title.text);
  return names;
}

std::int64_t seconds_since_start(const Machine& machine) {
  return (machine.now().time_100ns - Now{}.time_100ns) / 10'000'000;
}

TEST(Scenario, FaultyAddsADeviceAndASpoiler) {
  EXPECT_THAT(names_on(*scenario("")), Not(Contains(u"Faulty Device")));
  EXPECT_FALSE(scenario("")->spoiler);
  const auto machine = scenario("faulty");
  EXPECT_THAT(names_on(*machine), Contains(u"Faulty Device"));
  ASSERT_TRUE(machine->spoiler);
  machine->spoiler->before_perflib_data();  // no control file, no harm
}

TEST(Scenario, BulkAddsSoManyCounters) {
  EXPECT_THAT(names_on(*scenario("bulk 9400")), Contains(u"Bulk Counter 93"));
  EXPECT_THAT(names_on(*scenario("bulk 9400")), Not(Contains(u"Bulk Counter 94")));
  for (const char* const script : {"bulk", "bulk many", "bulk 99", "bulk 200001"})
    EXPECT_EQ(refusal(script), "the simulator does not understand \"bulk ...\"") << script;
}

TEST(Scenario, ACrowdHasSoManyObjects) {
  EXPECT_THAT(names_on(*scenario("crowd 3")), Contains(u"Crowd 2"));
  EXPECT_THAT(names_on(*scenario("crowd 3 50")), Not(Contains(u"Crowd 3")));
  for (const char* const script :
       {"crowd", "crowd 0", "crowd 2001", "crowd 3 0", "crowd 3 1001", "crowd 3 many"})
    EXPECT_EQ(refusal(script), "the simulator does not understand \"crowd ...\"") << script;
}

TEST(Scenario, AServerStandsInThePlaceOfTheTestsMachine) {
  const auto machine = scenario("server");
  EXPECT_THAT(names_on(*machine), Contains(u"SQLServer:Locks"));
  EXPECT_THAT(names_on(*machine), Not(Contains(u"Thing")));
  constexpr std::int64_t kUnixEpoch = 11'644'473'600;  // in seconds
  const std::chrono::duration<double> real = std::chrono::system_clock::now().time_since_epoch();
  const double simulated = static_cast<double>(machine->now().time_100ns) / 1e7 - kUnixEpoch;
  EXPECT_NEAR(simulated, real.count(), 60);
  EXPECT_THAT(names_on(*scenario("server; faulty")), Contains(u"Faulty Device"));
}

TEST(Scenario, TheClocksBeginInTheFirstProcess) {
  EXPECT_EQ(seconds_since_start(*scenario("still")), 0);
  EXPECT_EQ(seconds_since_start(*scenario("still; faulty")), 0);
  EXPECT_LT(seconds_since_start(*scenario("")), 60);
  const char* const since = std::getenv("WINPERF_SIMULATOR_SINCE");
  ASSERT_NE(since, nullptr) << "what other processes go by";
  const auto first = std::stoll(since) / 10'000'000;  // in ticks of 100 ns
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  EXPECT_LE(first, std::chrono::duration_cast<std::chrono::seconds>(now).count());
}

}  // namespace
}  // namespace winperf::simulator
