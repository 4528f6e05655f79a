#include "service/commands/command_line.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

const std::vector<std::string> kForeign{"--collectors.enabled",
                                        "[defaults]",
                                        "[a,b]",
                                        "[[a]]",
                                        "\"a\"",
                                        "'a'",
                                        "",
                                        "a\\",
                                        "--",
                                        "-x",
                                        "{a}",
                                        "/x:y"};

TEST(SealedWords, AreThoseBehindTheDashes) {
  std::vector<std::string> words{"config", "migrate", "--out", "[a]", "--"};
  words.insert(words.end(), kForeign.begin(), kForeign.end());
  auto sealed = seal_words(words);
  ASSERT_EQ(sealed.size(), words.size());
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(sealed[i], words[i]);
  for (std::size_t i = 5; i < words.size(); ++i) {
    EXPECT_NE(sealed[i], words[i]);
    EXPECT_FALSE(sealed[i].starts_with('[') || sealed[i].starts_with('-'));
  }
  std::ranges::transform(sealed, sealed.begin(), unsealed);
  EXPECT_THAT(sealed, ElementsAreArray(words));
}

TEST(SealedWords, OfOtherCommands_AreNone) {
  const std::vector<std::string> query{"query", "--", "[a]"};
  EXPECT_THAT(seal_words(query), ElementsAreArray(query));
  const std::vector<std::string> no_dashes{"config", "migrate", "[a]"};
  EXPECT_THAT(seal_words(no_dashes), ElementsAreArray(no_dashes));
  EXPECT_THAT(seal_words({"config"}), ElementsAre("config"));
  EXPECT_EQ(unsealed("[a]"), "[a]");
}

}  // namespace
}  // namespace winperf
