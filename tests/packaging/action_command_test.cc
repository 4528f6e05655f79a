#include "packaging/windows/action_command.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using ::testing::HasSubstr;

const std::string kProgram = R"(C:\Program Files\w\w.exe)";

std::string failure_of(const std::string& data) {
  const auto line = command_line_of(data);
  return line ? "none: " + *line : line.error();
}

TEST(ActionCommand, Words_AreQuotedEach) {
  EXPECT_EQ(command_line_of("4|" + kProgram + "|config|init|a b"),
            R"("C:\Program Files\w\w.exe" "config" "init" "a b")");
  EXPECT_EQ(command_line_of("3|" + kProgram + "||x"), R"("C:\Program Files\w\w.exe" "" "x")")
      << "a value that isn't set";
}

TEST(ActionCommand, Backslash_DoesNotTakeTheQuoteAfterIt) {
  EXPECT_EQ(command_line_of("3|" + kProgram + R"(|C:\x\|--force)"),
            R"("C:\Program Files\w\w.exe" "C:\x\\" "--force")");
}

TEST(ActionCommand, Value_CannotBecomeFurtherWords) {
  EXPECT_THAT(failure_of("2|" + kProgram + R"(|x" --account "LocalSystem)"),
              HasSubstr(R"(x" --account "LocalSystem has a quotation mark at character 2)"));
  EXPECT_THAT(failure_of("2|" + kProgram + "|x|--account"),
              HasSubstr("contains the character \"|\""));
  EXPECT_THAT(failure_of("3|" + kProgram + "|x"), HasSubstr("contains the character \"|\""));
  EXPECT_THAT(failure_of("2|" + kProgram + "|a\nb"),
              HasSubstr("the control character \\u000a at character 2"));
}

TEST(ActionCommand, Program_IsNamedWithItsWholePath) {
  for (const std::string program :
       {"w.exe", R"(\w.exe)", R"(C:w.exe)", R"(\\host\share\w.exe)", R"(C:\)"})
    EXPECT_THAT(failure_of("1|" + program), HasSubstr("is not specified with its full path"))
        << program;
}

TEST(ActionCommand, WithoutACount_IsNone) {
  for (const std::string data :
       {"", "|", "1|", "x", "0|", "-1|a", "1", "33|a", "1x|C:\\a.exe", "99999999999999999999|a"})
    EXPECT_THAT(failure_of(data), ::testing::Not(HasSubstr("none: "))) << data;
}

}  // namespace
}  // namespace winperf
