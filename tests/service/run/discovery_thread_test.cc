#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "service/run/discovery.h"

namespace winperf {
namespace {

using LookOutcome = std::expected<Inventory, std::string>;

// A look may take minutes, and whoever has begun it goes on meanwhile.
TEST(DiscoveryThread, LooksWhileNobodyWaitsForIt) {
  std::promise<void> answer;
  DiscoveryThread thread(
      [answered = answer.get_future().share()](const StopToken&) -> LookOutcome {
        answered.wait();
        return Inventory{.bytes = 7};
      },
      std::chrono::hours(1), DiscoveryThread::Until::kStopped, system_clocks());
  EXPECT_FALSE(thread.take());
  answer.set_value();
  std::optional<LookOutcome> outcome;
  while (!outcome) {
    std::this_thread::yield();
    outcome = thread.take();
  }
  ASSERT_TRUE(*outcome);
  EXPECT_EQ((*outcome)->bytes, 7U);
}

// So no thread needs to ask again and again.
TEST(DiscoveryThread, ReportsThatItHasAnOutcome) {
  std::promise<void> reported;
  DiscoveryThread thread([](const StopToken&) -> LookOutcome { return Inventory{.bytes = 7}; },
                         std::chrono::hours(1), DiscoveryThread::Until::kStopped, system_clocks(),
                         [&] { reported.set_value(); });
  reported.get_future().wait();
  const auto outcome = thread.take();
  ASSERT_TRUE(outcome);
  EXPECT_EQ((*outcome)->bytes, 7U);
}

}  // namespace
}  // namespace winperf
