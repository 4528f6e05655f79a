#include "service/run/service_host.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <thread>

namespace winperf {
namespace {

std::chrono::steady_clock::time_point soon() {
  return std::chrono::steady_clock::now() + std::chrono::minutes(1);
}

TEST(ControlInboxTest, Stop_OutranksReloadsAndStays) {
  ControlQueue queue;
  queue.post(Control::kReload);
  queue.post(Control::kStop);
  queue.post(Control::kReload);
  EXPECT_EQ(queue.take(soon()), Control::kStop);
  EXPECT_EQ(queue.take(soon()), Control::kStop);
}

TEST(ControlInboxTest, ReloadsThatWait_AreOne) {
  ControlQueue queue;
  queue.post(Control::kReload);
  queue.post(Control::kReload);
  EXPECT_EQ(queue.take(soon()), Control::kReload);
  queue.post(Control::kStop);
  EXPECT_EQ(queue.take(soon()), Control::kStop);
}

TEST(ControlInboxTest, ReloadDuringAReload_IsNotLost) {
  ControlQueue queue;
  queue.post(Control::kReload);
  EXPECT_EQ(queue.take(soon()), Control::kReload);
  queue.post(Control::kReload);
  EXPECT_EQ(queue.take(soon()), Control::kReload);
}

TEST(ControlInboxTest, WhoeverWaits_IsWoken) {
  ControlQueue queue;
  int reloads = 0;
  std::jthread waiting([&] {
    while (queue.take(soon()) == Control::kReload) ++reloads;
  });
  queue.post(Control::kReload);
  queue.post(Control::kStop);
  waiting.join();
  EXPECT_LE(reloads, 1);
}

TEST(ControlInboxTest, NothingPosted_IsReportedAtTheTimeout) {
  ControlQueue queue;
  EXPECT_EQ(queue.take({}), Control::kNone);
}

TEST(ControlInboxTest, MaintenanceThatWaits_ComesAfterAReload) {
  ControlQueue queue;
  queue.post(Control::kMaintain);
  queue.post(Control::kReload);
  queue.post(Control::kMaintain);
  EXPECT_EQ(queue.take(soon()), Control::kReload);
  EXPECT_EQ(queue.take(soon()), Control::kMaintain);
  EXPECT_EQ(queue.take({}), Control::kNone);
}

using Pause = std::optional<std::chrono::milliseconds>;

TEST(HostedWork, StopsWhenItIsToldTo_AfterTheReloadsBefore) {
  ControlQueue queue;
  int reloads = 0;
  queue.post(Control::kReload);
  do_hosted_work(queue, {.reload =
                             [&] {
                               ++reloads;
                               queue.post(Control::kStop);
                             },
                         .maintain = [] {},
                         .poll = [] { return Pause(std::chrono::hours(1)); }});
  EXPECT_EQ(reloads, 1);
}

TEST(HostedWork, EndsWhenItCanNotGoOn) {
  ControlQueue queue;
  int polls = 0;
  do_hosted_work(queue, {.reload = [] {},
                         .maintain = [] {},
                         .poll = [&] { return ++polls < 2 ? Pause(1) : std::nullopt; }});
  EXPECT_EQ(polls, 2);
}

TEST(HostedWork, PollsSoonAfterAReload_HoweverLongTheLastPause) {
  ControlQueue queue;
  int polls = 0;
  const auto poll = [&] {
    queue.post(++polls == 1 ? Control::kReload : Control::kStop);
    return Pause(std::chrono::hours(1));
  };
  do_hosted_work(queue, {.reload = [] {}, .maintain = [] {}, .poll = poll});
  EXPECT_EQ(polls, 2);
}

TEST(HostedWork, MaintainsWithoutPollingBeforeItsTime) {
  ControlQueue queue;
  std::string done;
  const auto poll = [&] {
    done += "poll ";
    queue.post(Control::kMaintain);
    return Pause(std::chrono::hours(1));
  };
  const auto maintain = [&] {
    done += "maintain ";
    queue.post(Control::kReload);
  };
  const auto reload = [&] {
    done += "reload";
    queue.post(Control::kStop);
  };
  do_hosted_work(queue, {.reload = reload, .maintain = maintain, .poll = poll});
  EXPECT_EQ(done, "poll maintain reload");
}

TEST(ControlInboxTest, AStopEndsAPauseAndNothingElseDoes) {
  ControlQueue queue;
  queue.post(Control::kReload);
  queue.post(Control::kMaintain);
  EXPECT_TRUE(passes_without_stop(queue, std::chrono::milliseconds(1)));
  queue.post(Control::kStop);
  EXPECT_FALSE(passes_without_stop(queue, std::chrono::hours(1)));
  EXPECT_EQ(queue.take({}), Control::kStop) << "the stop stays requested";
}

}  // namespace
}  // namespace winperf
