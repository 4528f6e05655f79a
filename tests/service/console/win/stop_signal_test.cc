// What the console's handler does, called as Windows calls it.
#include "service/console/stop_signal.h"

#include <gtest/gtest.h>
#include <windows.h>

#include <vector>

#include "tests/support/win/import_hooks.h"

namespace winperf {
namespace {

PHANDLER_ROUTINE handler = nullptr;
std::vector<DWORD> waits;

BOOL WINAPI note_handler(PHANDLER_ROUTINE routine, BOOL is_added) {
  handler = is_added != FALSE ? routine : nullptr;
  return TRUE;
}

void WINAPI note_wait(DWORD milliseconds) { waits.push_back(milliseconds); }

class ConsoleHandler : public ::testing::Test {
 protected:
  ConsoleHandler() { waits.clear(); }

  ImportHook registration_{"SetConsoleCtrlHandler", &note_handler};
  ImportHook wait_{"Sleep", &note_wait};
};

TEST_F(ConsoleHandler, IsThereAsLongAsTheSignal) {
  ASSERT_TRUE(registration_.is_set());
  {
    const StopSignal signal;
    EXPECT_NE(handler, nullptr);
  }
  EXPECT_EQ(handler, nullptr);
}

// After its answer, Windows ends the program, which may have changes to take back.
TEST_F(ConsoleHandler, DoesNotAnswerWhenTheWindowIsClosed) {
  ASSERT_TRUE(wait_.is_set());
  int stops = 0;
  const StopSignal signal([&] { ++stops; });
  ASSERT_NE(handler, nullptr);
  handler(CTRL_CLOSE_EVENT);
  EXPECT_TRUE(signal.token().stop_requested());
  EXPECT_EQ(stops, 1);
  EXPECT_EQ(waits, std::vector<DWORD>{INFINITE});
}

TEST_F(ConsoleHandler, AnswersToCtrlC) {
  const StopSignal signal;
  ASSERT_NE(handler, nullptr);
  EXPECT_EQ(handler(CTRL_C_EVENT), TRUE);
  EXPECT_TRUE(signal.token().stop_requested());
  EXPECT_TRUE(waits.empty());
}

// Which a program in the services' session gets when any user logs off.
TEST_F(ConsoleHandler, DoesNotStopWhenAUserLogsOff) {
  const StopSignal signal;
  ASSERT_NE(handler, nullptr);
  EXPECT_EQ(handler(CTRL_LOGOFF_EVENT), TRUE);
  EXPECT_FALSE(signal.token().stop_requested());
}

}  // namespace
}  // namespace winperf
