// Whatever the bytes: an answer, and every error with a place inside the text.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "config/config.h"
#include "config/document.h"
#include "config/tree_builder.h"
#include "tests/support/thorough.h"

namespace winperf {
namespace {

// True if the text was accepted.
bool survive(const std::string& text) {
  const auto config = parse_config(text, "hostile");
  if (config) {
    EXPECT_FALSE(config->countersets.empty());
    return true;
  }
  EXPECT_FALSE(config.error().empty());
  for (const ConfigError& error : config.error()) {
    EXPECT_FALSE(error.message.empty());
    EXPECT_LE(error.line, text.size() + 1);
    EXPECT_LE(error.column, text.size() + 1);
  }
  return false;
}

std::string example() {
  std::ifstream stream(
      std::filesystem::path(WINPERF_SOURCE_DIR) / "config" / "winperf_exporter.yaml",
      std::ios::binary);
  EXPECT_TRUE(stream.is_open());
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string repeated(std::string_view part, std::size_t bytes) {
  std::string text;
  while (text.size() + part.size() <= bytes) text += part;
  return text;
}

TEST(HostileConfig, SurvivesAMebibyteOfAnything) {
  for (const char* part : {"[",     "{",    "]",       "\"",   "'",  "''",      "/*",
                           "//",    "#",    "\n",      "-",    "- ", "? ",      ": ",
                           "a: ",   "a:\n", "- a\n",   "{a: ", "[{", "a,",      "&a ",
                           "*a ",   "!a ",  "|\n",     "%",    "@",  "\\",      "---\n",
                           "...\n", "\t",   "{\"a\":", "[[],", "x",  "\xC3\xA9"}) {
    SCOPED_TRACE(part);
    survive(repeated(part, testing::tried(kMaxConfigBytes / 32, kMaxConfigBytes)));
  }
}

TEST(HostileConfig, SurvivesDeepIndentation) {
  std::string text;
  for (std::size_t depth = 0; depth < 600; ++depth) text += std::string(depth, ' ') + "a:\n";
  EXPECT_FALSE(survive(text));
}

TEST(HostileConfig, RefusesControlCharacters) {
  EXPECT_FALSE(survive(std::string("interval: 5s\0", 13)));
  EXPECT_FALSE(survive(std::string(1000, '\0')));
  EXPECT_FALSE(survive("interval: 5s\x04"));
}

TEST(HostileConfig, SurvivesManyErrors) {
  std::string unknown = "{";
  EXPECT_FALSE(survive(unknown.append(repeated("q: 1,", 90'000)).append("}")));
  std::string empty_names = "countersets: [";
  EXPECT_FALSE(survive(empty_names.append(repeated("'',", 30'000)).append("]")));
  std::string repeated_names = "countersets: [";
  EXPECT_FALSE(survive(repeated_names.append(repeated("a,", 30'000)).append("]")));
}

TEST(HostileConfig, SurvivesEveryTruncationOfTheExample) {
  const std::string whole = example();
  for (std::size_t length = 0; length < whole.size(); length += testing::tried_every(23))
    survive(whole.substr(0, length));
}

TEST(HostileConfig, SurvivesMutationsOfTheExample) {
  constexpr std::string_view kLetters = "{}[]\"'/*#:,-?&!|>%@\\\n\t 0a\xC3\xFF";
  const std::string whole = example();
  std::mt19937 random(19700101);
  const auto below = [&random](std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random);
  };
  std::size_t accepted = 0;
  const std::size_t rounds = testing::tried(200, 3000);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::string text = whole;
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = kLetters[below(kLetters.size())];
          break;
        case 1:
          text.insert(at, 1, kLetters[below(kLetters.size())]);
          break;
        case 2:
          text.erase(at, 1 + below(20));
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(60)));
          break;
      }
    }
    if (survive(text)) ++accepted;
  }
  // Most of the example is comments, so some mutations must still be valid files.
  EXPECT_GT(accepted, rounds / 30);
}

// The YAML parser alone, on short texts of all its indicators.
TEST(HostileConfig, SurvivesRandomYaml) {
  constexpr std::string_view kLetters = "{}[]\"':,-?&*!|>%@\\\n ab#~.";
  std::mt19937 random(20000101);
  std::uniform_int_distribution<std::size_t> letter(0, kLetters.size() - 1);
  for (std::size_t round = 0; round < testing::tried(5000, 30'000); ++round) {
    std::string text;
    for (std::size_t i = 0; i < 1 + round % 20; ++i) text += kLetters[letter(random)];
    TreeBuilder builder(text);
    const auto error = read_yaml(text, builder);
    EXPECT_TRUE(!error || !error->message.empty()) << text;
    survive(text);
  }
}

}  // namespace
}  // namespace winperf
