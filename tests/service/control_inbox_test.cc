#include "service/control_inbox.h"

#include <gtest/gtest.h>

#include <thread>

namespace winperf {
namespace {

TEST(ControlInboxTest, Stop_OutranksReloadsAndStays) {
  ControlInbox inbox;
  inbox.post(Control::kReload);
  inbox.post(Control::kStop);
  inbox.post(Control::kReload);
  EXPECT_EQ(inbox.take(), Control::kStop);
  EXPECT_EQ(inbox.take(), Control::kStop);
}

TEST(ControlInboxTest, ReloadsThatWait_AreOne) {
  ControlInbox inbox;
  inbox.post(Control::kReload);
  inbox.post(Control::kReload);
  EXPECT_EQ(inbox.take(), Control::kReload);
  inbox.post(Control::kStop);
  EXPECT_EQ(inbox.take(), Control::kStop);
}

TEST(ControlInboxTest, ReloadDuringAReload_IsNotLost) {
  ControlInbox inbox;
  inbox.post(Control::kReload);
  EXPECT_EQ(inbox.take(), Control::kReload);
  inbox.post(Control::kReload);
  EXPECT_EQ(inbox.take(), Control::kReload);
}

TEST(ControlInboxTest, WhoeverWaits_IsWoken) {
  ControlInbox inbox;
  int reloads = 0;
  std::jthread waiting([&] {
    while (inbox.take() == Control::kReload) ++reloads;
  });
  inbox.post(Control::kReload);
  inbox.post(Control::kStop);
  waiting.join();
  EXPECT_LE(reloads, 1);
}

}  // namespace
}  // namespace winperf
