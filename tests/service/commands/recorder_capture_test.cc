#include "service/commands/recorder_capture.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(SentenceIn, IsTheDetailOfAProblemOrTheFirstLine) {
  EXPECT_EQ(sentence_in(R"({"status":403,"detail":"not served"})"), "not served");
  EXPECT_EQ(sentence_in("unauthorized\nmore"), "unauthorized");
  EXPECT_EQ(sentence_in(R"({"detail":7})"), R"({"detail":7})");
}

}  // namespace
}  // namespace winperf
