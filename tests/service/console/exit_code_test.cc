#include "service/console/exit_code.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

// Scripts compare them.
TEST(ExitCode, IsTheDocumentedOne) {
  EXPECT_EQ(kExitOk, 0);
  EXPECT_EQ(kExitFailure, 1);
  EXPECT_EQ(kExitUsage, 2);
  EXPECT_EQ(kExitIncomplete, 3);
  EXPECT_EQ(kExitNotRunning, 3);
  EXPECT_EQ(kExitNotInstalled, 4);
  EXPECT_EQ(kExitAccessDenied, 5);
}

std::string complaint(const Failure& failure) {
  ::testing::internal::CaptureStderr();
  complain(failure);
  return ::testing::internal::GetCapturedStderr();
}

TEST(Complain, BeginsWithTheProgramOrWithTheFile) {
  EXPECT_EQ(complaint({.message = "no such counterset"}), "winperf_exporter: no such counterset\n");
  EXPECT_EQ(complaint({.message = "a.yaml:1:2: unknown key", .names_its_file = true}),
            "a.yaml:1:2: unknown key\n");
}

TEST(Complain, HasNothingThatATerminalObeys) {
  EXPECT_EQ(complaint({.message = "no \x1b]0;x\a\nnext\u009b"}),
            "winperf_exporter: no \\u001b]0;x\\u0007\nnext\\u009b\n");
  EXPECT_EQ(complaint({.message = "a:1: \x1b\nb:2: \r", .names_its_file = true}),
            "a:1: \\u001b\nb:2: \\u000d\n");
}

}  // namespace
}  // namespace winperf
