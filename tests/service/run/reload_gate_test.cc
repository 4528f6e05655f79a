#include "service/run/run.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <thread>

namespace winperf {
namespace {

constexpr std::chrono::minutes kAskTimeout{1};

TEST(ReloadGate, WhoeverAsks_GetsTheOutcome) {
  ReloadGate gate;
  const auto fails = [] { return ReloadOutcome(std::unexpected("line 3")); };
  const auto outcome = gate.ask([&] { gate.perform(fails); }, kAskTimeout);
  ASSERT_TRUE(outcome);
  ASSERT_FALSE(*outcome);
  EXPECT_EQ(outcome->error(), "line 3");
}

TEST(ReloadGate, AReloadThatWasAlreadyOnItsWay_IsNotTheAnswer) {
  ReloadGate gate;
  std::optional<ReloadOutcome> outcome;
  std::promise<void> asked;
  std::jthread asking;
  gate.perform([&] {
    asking = std::jthread([&] { outcome = gate.ask([&] { asked.set_value(); }, kAskTimeout); });
    asked.get_future().wait();
    return ReloadOutcome(std::unexpected("read before the change"));
  });
  gate.perform([] { return ReloadOutcome(); });
  asking.join();
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->has_value());
}

TEST(ReloadGate, AReloadThatThrows_HasFailed) {
  ReloadGate gate;
  const auto throws = []() -> ReloadOutcome { throw std::runtime_error("no memory"); };
  const auto outcome = gate.ask([&] { gate.perform(throws); }, kAskTimeout);
  ASSERT_TRUE(outcome);
  ASSERT_FALSE(*outcome);
  EXPECT_EQ(outcome->error(), "no memory");
}

TEST(ReloadGate, WithoutAnyReload_TheTimeoutEndsTheWait) {
  ReloadGate gate;
  EXPECT_FALSE(gate.ask([] {}, std::chrono::milliseconds(1)));
}

TEST(ReloadGate, Closed_KeepsNobodyWaiting) {
  ReloadGate gate;
  EXPECT_FALSE(gate.ask([&] { gate.close(); }, kAskTimeout));
  EXPECT_FALSE(gate.ask([] {}, kAskTimeout));
}

}  // namespace
}  // namespace winperf
