#include "service/hosted_work.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(HostedWork, StopsWhenItIsToldTo_AfterTheReloadsBefore) {
  ControlInbox inbox;
  int reloads = 0;
  inbox.post(Control::kReload);
  do_hosted_work(inbox, {.reload =
                             [&] {
                               ++reloads;
                               inbox.post(Control::kStop);
                             },
                         .look = [] { return true; }});
  EXPECT_EQ(reloads, 1);
}

TEST(HostedWork, EndsWhenItCanNotGoOn) {
  ControlInbox inbox;
  int looks = 0;
  do_hosted_work(inbox, {.reload = [] {}, .look = [&] { return ++looks < 2; }});
  EXPECT_EQ(looks, 2);
}

}  // namespace
}  // namespace winperf
