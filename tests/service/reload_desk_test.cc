#include "service/reload_desk.h"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <thread>

namespace winperf {
namespace {

constexpr std::chrono::minutes kPatience{1};

TEST(ReloadDesk, WhoeverAsks_GetsTheOutcome) {
  ReloadDesk desk;
  const auto fails = [] { return ReloadOutcome(std::unexpected("line 3")); };
  const auto outcome = desk.ask([&] { desk.perform(fails); }, kPatience);
  ASSERT_TRUE(outcome);
  ASSERT_FALSE(*outcome);
  EXPECT_EQ(outcome->error(), "line 3");
}

TEST(ReloadDesk, AReloadThatWasAlreadyOnItsWay_IsNotTheAnswer) {
  ReloadDesk desk;
  std::optional<ReloadOutcome> outcome;
  std::promise<void> asked;
  std::jthread asking;
  desk.perform([&] {
    asking = std::jthread([&] { outcome = desk.ask([&] { asked.set_value(); }, kPatience); });
    asked.get_future().wait();
    return ReloadOutcome(std::unexpected("read before the change"));
  });
  desk.perform([] { return ReloadOutcome(); });
  asking.join();
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->has_value());
}

TEST(ReloadDesk, AReloadThatThrows_HasFailed) {
  ReloadDesk desk;
  const auto throws = []() -> ReloadOutcome { throw std::runtime_error("no memory"); };
  const auto outcome = desk.ask([&] { desk.perform(throws); }, kPatience);
  ASSERT_TRUE(outcome);
  ASSERT_FALSE(*outcome);
  EXPECT_EQ(outcome->error(), "no memory");
}

TEST(ReloadDesk, WithoutAnyReload_PatienceEnds) {
  ReloadDesk desk;
  EXPECT_FALSE(desk.ask([] {}, std::chrono::milliseconds(1)));
}

TEST(ReloadDesk, Closed_KeepsNobodyWaiting) {
  ReloadDesk desk;
  EXPECT_FALSE(desk.ask([&] { desk.close(); }, kPatience));
  EXPECT_FALSE(desk.ask([] {}, kPatience));
}

}  // namespace
}  // namespace winperf
