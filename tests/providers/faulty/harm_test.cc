// The harm is really done. Each kind is done to a child process of the test.
#include "tests/providers/faulty/harm.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <iterator>

namespace faulty {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t entries(const char* folder) {
  return std::distance(fs::directory_iterator(folder), fs::directory_iterator());
}

// Does harm, and ends with 0 if there are so many more entries in a folder of the process.
[[noreturn]] void grow(const char* word, const char* folder, std::ptrdiff_t more) {
  const std::ptrdiff_t before = entries(folder);
  perform(word);
  std::_Exit(entries(folder) == before + more ? 0 : 1);
}

class HarmDeathTest : public ::testing::Test {
 protected:
  HarmDeathTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(HarmDeathTest, EndsTheProcess) {
  for (const char* const word : {"av", "abort", "stack", "heap"}) {
    SCOPED_TRACE(word);
    EXPECT_DEATH(perform(word), "");
  }
  EXPECT_EXIT(perform("exit"), ::testing::ExitedWithCode(3), "");
  EXPECT_EXIT(perform("terminate"), ::testing::KilledBySignal(SIGKILL), "");
}

TEST_F(HarmDeathTest, EndsTheProcessLater) {
  EXPECT_DEATH(
      {
        perform("thread_left");
        perform("hang");
      },
      "");
  const auto divide = [](double by) {
    volatile double divisor = by;  // not by the compiler
    return 1.0 / divisor;
  };
  EXPECT_EXIT(std::_Exit(divide(3.0) > 0 ? 0 : 1), ::testing::ExitedWithCode(0), "");
  EXPECT_DEATH(
      {
        perform("fpu");
        std::_Exit(divide(3.0) > 0 ? 0 : 1);
      },
      "")
      << "the quotient is inexact";
}

TEST_F(HarmDeathTest, TakesWhatBelongsToTheProcess) {
  EXPECT_EXIT(grow("handles", "/proc/self/fd", 200), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(grow("threads", "/proc/self/task", 50), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        perform("close_handles");
        // One is the folder's own.
        std::_Exit(entries("/proc/self/fd") == 4 ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace faulty
