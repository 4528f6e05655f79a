#include "service/run/service_host.h"

#include <gtest/gtest.h>

#include <thread>

namespace winperf {
namespace {

constexpr std::chrono::minutes kTimeout{1};

TEST(ControlInboxTest, Stop_OutranksReloadsAndStays) {
  ControlQueue queue;
  queue.post(Control::kReload);
  queue.post(Control::kStop);
  queue.post(Control::kReload);
  EXPECT_EQ(queue.take(kTimeout), Control::kStop);
  EXPECT_EQ(queue.take(kTimeout), Control::kStop);
}

TEST(ControlInboxTest, ReloadsThatWait_AreOne) {
  ControlQueue queue;
  queue.post(Control::kReload);
  queue.post(Control::kReload);
  EXPECT_EQ(queue.take(kTimeout), Control::kReload);
  queue.post(Control::kStop);
  EXPECT_EQ(queue.take(kTimeout), Control::kStop);
}

TEST(ControlInboxTest, ReloadDuringAReload_IsNotLost) {
  ControlQueue queue;
  queue.post(Control::kReload);
  EXPECT_EQ(queue.take(kTimeout), Control::kReload);
  queue.post(Control::kReload);
  EXPECT_EQ(queue.take(kTimeout), Control::kReload);
}

TEST(ControlInboxTest, WhoeverWaits_IsWoken) {
  ControlQueue queue;
  int reloads = 0;
  std::jthread waiting([&] {
    while (queue.take(kTimeout) == Control::kReload) ++reloads;
  });
  queue.post(Control::kReload);
  queue.post(Control::kStop);
  waiting.join();
  EXPECT_LE(reloads, 1);
}

TEST(ControlInboxTest, NothingPosted_IsReportedAtTheTimeout) {
  ControlQueue queue;
  EXPECT_EQ(queue.take(std::chrono::milliseconds(1)), Control::kNone);
}

TEST(HostedWork, StopsWhenItIsToldTo_AfterTheReloadsBefore) {
  ControlQueue queue;
  int reloads = 0;
  queue.post(Control::kReload);
  do_hosted_work(queue, {.reload =
                             [&] {
                               ++reloads;
                               queue.post(Control::kStop);
                             },
                         .poll = [] { return true; }});
  EXPECT_EQ(reloads, 1);
}

TEST(HostedWork, EndsWhenItCanNotGoOn) {
  ControlQueue queue;
  int polls = 0;
  do_hosted_work(queue, {.reload = [] {}, .poll = [&] { return ++polls < 2; }},
                 std::chrono::milliseconds(1));
  EXPECT_EQ(polls, 2);
}

}  // namespace
}  // namespace winperf
