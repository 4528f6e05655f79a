#include "service/control_inbox.h"

#include <gtest/gtest.h>

#include <thread>

namespace winperf {
namespace {

constexpr std::chrono::minutes kPatience{1};

TEST(ControlInboxTest, Stop_OutranksReloadsAndStays) {
  ControlInbox inbox;
  inbox.post(Control::kReload);
  inbox.post(Control::kStop);
  inbox.post(Control::kReload);
  EXPECT_EQ(inbox.take(kPatience), Control::kStop);
  EXPECT_EQ(inbox.take(kPatience), Control::kStop);
}

TEST(ControlInboxTest, ReloadsThatWait_AreOne) {
  ControlInbox inbox;
  inbox.post(Control::kReload);
  inbox.post(Control::kReload);
  EXPECT_EQ(inbox.take(kPatience), Control::kReload);
  inbox.post(Control::kStop);
  EXPECT_EQ(inbox.take(kPatience), Control::kStop);
}

TEST(ControlInboxTest, ReloadDuringAReload_IsNotLost) {
  ControlInbox inbox;
  inbox.post(Control::kReload);
  EXPECT_EQ(inbox.take(kPatience), Control::kReload);
  inbox.post(Control::kReload);
  EXPECT_EQ(inbox.take(kPatience), Control::kReload);
}

TEST(ControlInboxTest, WhoeverWaits_IsWoken) {
  ControlInbox inbox;
  int reloads = 0;
  std::jthread waiting([&] {
    while (inbox.take(kPatience) == Control::kReload) ++reloads;
  });
  inbox.post(Control::kReload);
  inbox.post(Control::kStop);
  waiting.join();
  EXPECT_LE(reloads, 1);
}

TEST(ControlInboxTest, NothingPosted_IsSaidWhenPatienceEnds) {
  ControlInbox inbox;
  EXPECT_EQ(inbox.take(std::chrono::milliseconds(1)), Control::kNone);
}

}  // namespace
}  // namespace winperf
