#include "service/console/stop_signal.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <future>

#include "collectors/base/stop.h"

namespace winperf {
namespace {

// Blocks what StopSignal blocks, and undoes that when it ends: other tests begin with no signal
// blocked.
class StopSignalTest : public ::testing::Test {
 protected:
  StopSignalTest() { pthread_sigmask(SIG_SETMASK, nullptr, &before_); }
  ~StopSignalTest() override { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

TEST_F(StopSignalTest, ARequestToEndStopsTheTokenAndThenCalls) {
  for (const int request : {SIGTERM, SIGINT}) {
    std::promise<void> called;
    const StopSignal signal([&] { called.set_value(); });
    EXPECT_FALSE(signal.token().stop_requested());
    kill(getpid(), request);
    called.get_future().wait();
    EXPECT_TRUE(signal.token().stop_requested()) << request;
  }
}

TEST_F(StopSignalTest, NeedsNoCall) {
  const StopSignal signal;
  kill(getpid(), SIGTERM);
  pause_until(std::chrono::steady_clock::now() + std::chrono::hours(1), signal.token());
  EXPECT_TRUE(signal.token().stop_requested());
}

TEST_F(StopSignalTest, ReloadsAsOftenAsItIsAskedTo) {
  std::promise<void> reloaded[2];
  std::size_t reloads = 0;
  const StopSignal signal([] { FAIL() << "nobody asked it to end"; },
                          [&] { reloaded[reloads++].set_value(); });
  for (std::promise<void>& one : reloaded) {
    kill(getpid(), SIGHUP);
    one.get_future().wait();
  }
  EXPECT_FALSE(signal.token().stop_requested());
}

// Only `run` reloads. Elsewhere the signal ends the program, as it ends others.
using StopSignalDeathTest = StopSignalTest;

TEST_F(StopSignalDeathTest, WithoutAReload_SighupIsLeftToTheSystem) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const StopSignal signal;
        std::raise(SIGHUP);
        std::_Exit(EXIT_SUCCESS);
      },
      ::testing::KilledBySignal(SIGHUP), "");
}

// The first request is being carried out, for ever.
TEST_F(StopSignalDeathTest, WhoeverKeepsAskingEndsTheProgramAtOnce) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        const StopSignal signal;
        while (true) kill(getpid(), SIGTERM);
      },
      ::testing::ExitedWithCode(EXIT_FAILURE), "");
}

}  // namespace
}  // namespace winperf
