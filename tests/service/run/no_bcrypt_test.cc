// A build without bcrypt, as it is when CMake finds none: bcrypt.cc without it is linked instead.
#include <gmock/gmock.h>

#include "exporter/auth/password_hash.h"
#include "service/run/protection.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kHash[] = "$2y$04$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";

TEST(WithoutBcrypt, APasswordIsRefusedWithAClearError) {
  LoadedWeb web;
  EXPECT_TRUE(protection_of(web));
  web.config.users = {{.name = "alice", .password_hash = kHash}};
  const auto protection = protection_of(web);
  ASSERT_FALSE(protection) << "the address would be open";
  EXPECT_THAT(
      protection.error(),
      HasSubstr("basic_auth_users cannot be used, because this build cannot check passwords"));
  EXPECT_THAT(protection.error(), Not(HasSubstr("CCCC")));
}

TEST(WithoutBcrypt, NoPasswordIsRightAndNoHashIsMade) {
  EXPECT_FALSE(can_check_passwords());
  EXPECT_FALSE(is_password("U*U", kHash));
  EXPECT_FALSE(is_password("", ""));
  const auto hash = hash_password("secret", 4);
  ASSERT_FALSE(hash);
  EXPECT_THAT(hash.error(), HasSubstr("this build has no bcrypt"));
}

}  // namespace
}  // namespace winperf
