#include "exporter/auth/password_gate.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(BasicCredentials, AreANameAndAPassword) {
  for (const char* const field : {"Basic YTpiOmM=", "bAsIc YTpiOmM="}) {
    const auto credentials = parse_basic_credentials(field);
    ASSERT_TRUE(credentials) << field;
    EXPECT_EQ(credentials->user, "a");
    EXPECT_EQ(credentials->password, "b:c");
  }
  EXPECT_TRUE(parse_basic_credentials("Basic Og==")) << "both may be empty";
}

TEST(BasicCredentials, AreNothingElse) {
  for (const char* const field :
       {"", "Basic", "Basic ", "Bearer YTpi", "BasicYTpi", "Basic YTpi!", "Basic YTp",
        "Basic YQ==", "Basic  YTpi", "Basic YTpi YTpi", "Basic YToK", "Basic YTpi\r\n"})
    EXPECT_FALSE(parse_basic_credentials(field)) << field;
  EXPECT_FALSE(parse_basic_credentials("Basic " + std::string(2000, 'A')));
}

}  // namespace
}  // namespace winperf
