#include "exporter/http/router.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

constexpr char kTag[] = "W/\"1-2\"";

TEST(EntityTag_ThatTheClientHas, IsInItsListWeakOrStrong) {
  for (const char* list : {"W/\"1-2\"", "\"1-2\"", "\"x\", W/\"1-2\"", "\"a,\" ,\t\"1-2\" , \"b\"",
                           "*", " * ", ", ,\"1-2\",", "  \"1-2\"  "})
    EXPECT_TRUE(has_entity_tag(list, kTag)) << list;
}

TEST(EntityTag_ThatTheClientLacks, IsNoPartOfAnotherOneNorOfAnythingElse) {
  for (const char* list :
       {"", " ", "1-2", "\"1-2", "1-2\"", "\"1-\"", "\"1-22\"", "\"x,1-2\"", "w/\"1-2\"",
        "W/ \"1-2\"", "\"x\" \"1-2\"", "x, \"1-2\"", "\"*\"", "*, \"x\"", "W/", ",", "\"\""})
    EXPECT_FALSE(has_entity_tag(list, kTag)) << list;
}

TEST(EntityTag_ThatIsStrong, IsHadAsWell) {
  EXPECT_TRUE(has_entity_tag("W/\"a\"", "\"a\""));
  EXPECT_TRUE(has_entity_tag("\"\"", "\"\""));
}

}  // namespace
}  // namespace winperf
