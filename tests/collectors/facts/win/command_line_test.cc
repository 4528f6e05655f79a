#include "collectors/facts/win/topics.h"

#include <gtest/gtest.h>

// After windows.h.
#include <winternl.h>

#include <cstring>
#include <string_view>

namespace winperf {
namespace {

// Windows' answer: the description of the text, and behind it the text "a.bc".
class CommandLineTest : public testing::Test {
 protected:
  static constexpr std::wstring_view kText = L"a.bc";
  static constexpr std::size_t kTextBytes = kText.size() * sizeof(wchar_t);

  CommandLineTest() {
    std::memcpy(begin() + sizeof(UNICODE_STRING), kText.data(), kTextBytes);
    describe_text(sizeof(UNICODE_STRING), kTextBytes);
  }
  char* begin() { return static_cast<char*>(answer_.data()); }
  void describe_text(std::size_t at, std::size_t bytes) {
    UNICODE_STRING text{};
    text.Length = static_cast<USHORT>(bytes);
    text.Buffer = reinterpret_cast<wchar_t*>(begin() + at);
    std::memcpy(begin(), &text, sizeof text);
  }

  ReturnedBuffer answer_{sizeof(UNICODE_STRING) + kTextBytes};
};

TEST_F(CommandLineTest, AnswerOfWindows_IsRead) {
  EXPECT_EQ(command_line_in(answer_), "a.bc");
  describe_text(sizeof(UNICODE_STRING) + 2, 4);
  EXPECT_EQ(command_line_in(answer_), ".b");
  std::memset(begin(), 0, sizeof(UNICODE_STRING));
  EXPECT_EQ(command_line_in(answer_), "");
}

TEST_F(CommandLineTest, TextOutsideTheAnswer_IsNone) {
  describe_text(sizeof(UNICODE_STRING) + 2, kTextBytes);
  EXPECT_EQ(command_line_in(answer_), std::nullopt);
  describe_text(sizeof(UNICODE_STRING), kTextBytes + 2);
  EXPECT_EQ(command_line_in(answer_), std::nullopt);
  describe_text(sizeof(UNICODE_STRING) + 1, 2);  // at an odd address
  EXPECT_EQ(command_line_in(answer_), std::nullopt);
  describe_text(0, 0xFFFE);
  EXPECT_EQ(command_line_in(answer_), std::nullopt);
}

TEST_F(CommandLineTest, AnswerThatEndsTooEarly_IsNone) {
  answer_.filled(sizeof(UNICODE_STRING) + kTextBytes - 1);
  EXPECT_EQ(command_line_in(answer_), std::nullopt);
  answer_.filled(sizeof(UNICODE_STRING) - 1);
  EXPECT_EQ(command_line_in(answer_), std::nullopt);
}

}  // namespace
}  // namespace winperf
