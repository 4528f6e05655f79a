#include "service/console/console.h"

#include <gmock/gmock.h>

#include <iostream>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CommandLineWords, AreThoseBehindTheProgramsName) {
  char program[] = "winperf_exporter", command[] = "list", name[] = "System";
  char* words[] = {program, command, name, nullptr};
  EXPECT_THAT(command_line_words(3, words), ElementsAre("list", "System"));
  EXPECT_THAT(command_line_words(2, words), ElementsAre("list"));
  EXPECT_THAT(command_line_words(1, words), IsEmpty());
}

TEST(CommandLineWords, AProgramWithoutANameHasNone) {
  char* words[] = {nullptr};
  EXPECT_THAT(command_line_words(0, words), IsEmpty());
}

// Terminals take UTF-8 as it is.
TEST(Utf8Console, ReplacesNothing) {
  const std::streambuf* const before = std::cout.rdbuf();
  const Utf8Console console;
  EXPECT_EQ(std::cout.rdbuf(), before);
}

}  // namespace
}  // namespace winperf
