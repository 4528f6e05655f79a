#include "config/document.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace winperf {
namespace {

std::string blanked(std::string_view text) {
  const auto result = blank_comments(text);
  return result ? *result : "error: " + result.error().message;
}

struct BlankedRow {
  const char* text;
  const char* blanked;
};

TEST(BlankComments, BlanksWhatIsAComment) {
  constexpr BlankedRow kRows[] = {
      {"// x", "    "},
      {"a: 1 // x", "a: 1     "},
      {"a: 1 // x\nb: 2", "a: 1     \nb: 2"},
      {"a: 1 // x\r\nb: 2", "a: 1     \r\nb: 2"},
      {"a: /* x */ 1", "a:         1"},
      {"/* x\n y */a: 1", "    \n     a: 1"},
      {"{\"a\":1,// x\n\"b\":2}", "{\"a\":1,    \n\"b\":2}"},
      {"[1]// x", "[1]    "},
      {"\"a\"// x", "\"a\"    "},
      {"\"a\":// x\n1", "\"a\":    \n1"},
      {"{a: \"x\"/**/}", "{a: \"x\"    }"},
      {"/**/a", "    a"},
      {"/*/ x */a", "        a"},
      {"// \"open\na: 1", "        \na: 1"},
      {"/* ' */ 'a // b'", "        'a // b'"},
      {"a: \"it's\" // x", "a: \"it's\"     "},
      {"// \xC3\xA9", "     "},
      {"--- {a: \"x // y\"} // z", "--- {a: \"x // y\"}     "},
      {"- \"x // y\" // z", "- \"x // y\"     "},
  };
  for (const BlankedRow& row : kRows) EXPECT_EQ(blanked(row.text), row.blanked) << row.text;
}

TEST(BlankComments, LeavesTextAlone) {
  for (const char* text : {
           "a: \"// x\"",
           "a: \"/* x\"",
           "a: \"\\\"// x\"",
           "a: \"C:\\\\\"",
           "{\"a\": \"C:\\\\x\\\\\", \"b\": \"//\"}",
           "a: '// x'",
           "a: 'it''s // x'",
           "a: '\\'",
           "a: http://x/y",
           "a: x//y",
           "[http://x, a/*b]",
           "# it's // a comment \" of /* YAML\na: 1",
           "a: 1 # \"\nb: '// x'",
           "a: it's",
           "a: x \"y\" z",
           "a: x|y",
           "[a|b, >c]",
       }) {
    EXPECT_EQ(blanked(text), text);
  }
}

TEST(BlankComments, ReportsWhatHasNoPartner) {
  struct Bad {
    const char* text;
    std::size_t offset;
  };
  constexpr Bad kRows[] = {
      {"a: 1 /* x", 5},  {"/*/", 0},         {"a: |\n  x", 3}, {"a: >-\n  x", 3},
      {"a: [1", 3},      {"{a: [1}", 4},     {"a: 1\n]", 5},   {"\"a", 0},
      {"a: \"x\n\"", 3}, {"a: 'it''s\n", 3}, {"a: \"x\\", 3},
  };
  for (const Bad& row : kRows) {
    const auto result = blank_comments(row.text);
    ASSERT_FALSE(result.has_value()) << row.text;
    EXPECT_EQ(result.error().offset, row.offset) << row.text;
  }
}

// Whatever the text: nothing moves, and only whole bytes turn into spaces.
TEST(BlankComments, KeepsEveryPlace) {
  constexpr std::string_view kAlphabet = "/*\"'# \n\r\t:,[]{}a-\\|";
  std::mt19937 random(20240607);
  std::uniform_int_distribution<std::size_t> letter(0, kAlphabet.size() - 1);
  std::size_t accepted = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string text;
    for (std::size_t i = 0; i < 1 + static_cast<std::size_t>(round) % 24; ++i) {
      text += kAlphabet[letter(random)];
    }
    const auto result = blank_comments(text);
    if (!result) {
      EXPECT_LT(result.error().offset, text.size());
      continue;
    }
    ++accepted;
    ASSERT_EQ(result->size(), text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool is_break = text[i] == '\n' || text[i] == '\r';
      const bool kept = (*result)[i] == text[i];
      ASSERT_TRUE(kept || (!is_break && (*result)[i] == ' ')) << text;
    }
  }
  EXPECT_GT(accepted, 5'000U);
}

}  // namespace
}  // namespace winperf
