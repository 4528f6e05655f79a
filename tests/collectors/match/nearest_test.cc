#include "collectors/match/nearest.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace winperf {
namespace {

TEST(EditDistance, CountsEdits) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("abc", ""), 3U);
  EXPECT_EQ(edit_distance("intervall", "interval"), 1U);
  EXPECT_EQ(edit_distance("adress", "address"), 1U);
  EXPECT_EQ(edit_distance("prot", "port"), 1U);
  EXPECT_EQ(edit_distance("abcd", "badc"), 2U);
  EXPECT_EQ(edit_distance("max-reply-bytes", "Max_Reply_Bytes"), 0U);
  EXPECT_EQ(edit_distance("ab", "ba"), 1U);
  EXPECT_EQ(edit_distance("ab", "bc"), 2U) << "only one of the two has changed places";
  EXPECT_EQ(edit_distance("ab", "ca"), 2U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting", 1), 3U) << "their lengths are within the limit";
  EXPECT_EQ(edit_distance("kit", "sitting", 3), 4U) << "only their lengths were compared";
}

TEST(Nearest, FindsWhatWasMeant) {
  constexpr std::array<std::string_view, 4> kKeys{"address", "port", "interval", "log"};
  EXPECT_EQ(nearest("adres", kKeys), "address");
  EXPECT_EQ(nearest("Port", kKeys), "port");
  EXPECT_EQ(nearest("ports", kKeys), "port");
  EXPECT_EQ(nearest("logging", kKeys), "log");
  EXPECT_EQ(nearest("inter", kKeys), "interval");
}

TEST(Nearest, TakesTheFirstOfEquallyNearWords) {
  constexpr std::array<std::string_view, 3> kKeys{"abcd", "abce", "abcf"};
  EXPECT_EQ(nearest("abcx", kKeys), "abcd");
  EXPECT_EQ(nearest("Abce", kKeys), "abce") << "that is no edit";
}

TEST(Nearest, AllowsOneEditInThreeLettersAndOneInAShortWord) {
  const auto found = [](std::string_view word, std::string_view candidate) {
    return !nearest(word, std::array{candidate}).empty();
  };
  EXPECT_TRUE(found("ab", "ac"));
  EXPECT_FALSE(found("ab", "cd"));
  EXPECT_TRUE(found("abcde", "abcdx"));
  EXPECT_FALSE(found("abcde", "abcxy"));
  EXPECT_TRUE(found("abcdef", "abcdxy"));
  EXPECT_TRUE(found("abcde", "abcdxy")) << "the longer one counts";
  EXPECT_FALSE(found("abcdef", "abcxyz"));
}

TEST(Nearest, TakesAWordForAnotherOneThatItBeginsFromThreeLettersOn) {
  const auto found = [](std::string_view word, std::string_view candidate) {
    return !nearest(word, std::array{candidate}).empty();
  };
  EXPECT_TRUE(found("log", "logging-of-everything"));
  EXPECT_FALSE(found("lo", "logging-of-everything"));
}

TEST(Nearest, ComparesWordsOfUpTo64Bytes) {
  for (const std::size_t length : {63U, 64U, 65U}) {
    const std::string word(length, 'x');
    EXPECT_EQ(nearest(word, std::array{std::string_view(word)}).empty(), length > 64);
  }
}

TEST(Nearest, DoesNotGuess) {
  constexpr std::array<std::string_view, 4> kKeys{"address", "port", "interval", "log"};
  EXPECT_EQ(nearest("", kKeys), "");
  EXPECT_EQ(nearest("collectors", kKeys), "");
  EXPECT_EQ(nearest("xy", kKeys), "");
  EXPECT_EQ(nearest("port" + std::string(100, 'x'), kKeys), "");
  EXPECT_EQ(nearest("port", {}), "");
}

}  // namespace
}  // namespace winperf
