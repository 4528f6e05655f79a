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

TEST(Nearest, IsWithinAThirdOfTheLongerWord) {
  constexpr std::array<std::string_view, 1> kSix{"abcdef"};
  EXPECT_EQ(nearest("abcdxy", kSix), "abcdef");
  EXPECT_EQ(nearest("abcxyz", kSix), "");
  constexpr std::array<std::string_view, 1> kTwo{"ab"};
  EXPECT_EQ(nearest("ax", kTwo), "ab") << "one edit is always allowed";
  EXPECT_EQ(nearest("xy", kTwo), "");
}

TEST(Nearest, OfSeveralIsTheFirstOfThoseThatAreEquallyNear) {
  constexpr std::array<std::string_view, 3> kKeys{"interfals", "intervals", "intervalx"};
  EXPECT_EQ(nearest("interval", kKeys), "intervals");
}

TEST(Nearest, ComparesWordsOfUpTo64Bytes) {
  const std::string key(63, 'a');
  const std::array<std::string_view, 1> keys{key};
  EXPECT_EQ(nearest(key + "a", keys), key);
  EXPECT_EQ(nearest(key + "aa", keys), "");
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
