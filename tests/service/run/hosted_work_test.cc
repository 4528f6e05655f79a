#include "service/run/control_queue.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

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
  do_hosted_work(queue, {.reload = [] {}, .poll = [&] { return ++polls < 2; }});
  EXPECT_EQ(polls, 2);
}

}  // namespace
}  // namespace winperf
