#include "exporter/auth/password_hash.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

class PasswordHash : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!can_check_passwords()) GTEST_SKIP() << "NO BCRYPT: this build can't check passwords";
  }
};

TEST_F(PasswordHash, OfEachKindIsRecognized) {
  constexpr char kFake[] = "$2y$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi";
  EXPECT_TRUE(is_password("fakepassword", kFake));
  EXPECT_FALSE(is_password("fakepassworD", kFake));
  EXPECT_FALSE(is_password("", kFake));
  EXPECT_FALSE(is_password(std::string_view("fakepassword\0", 13), kFake));
  // The kinds differ in their names alone for plain letters.
  for (const char kind : {'a', 'b'}) {
    std::string hash = kFake;
    hash[2] = kind;
    EXPECT_TRUE(is_password("fakepassword", hash)) << kind;
  }
}

// From the test vectors that implementations of bcrypt share.
TEST_F(PasswordHash, AgreesWithOthers) {
  EXPECT_TRUE(is_password("U*U", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW"));
  EXPECT_TRUE(is_password("U*U*", "$2a$05$CCCCCCCCCCCCCCCCCCCCC.VGOzA784oUp/Z0DY336zx7pLYAy0lwK"));
}

TEST_F(PasswordHash, ThatIsNoneIsOfNoPassword) {
  for (const char* const hash :
       {"", "x", "$2y$10$", "$2q$10$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi",
        "$2y$99$QOauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi",
        "$2y$10$*OauhQNbBCuQDKes6eFzPeMqBSjb7Mr5DUmpZ/VcEd00UAV/LDeSi"})
    EXPECT_FALSE(is_password("fakepassword", hash)) << hash;
}

TEST_F(PasswordHash, IsMadeWithASaltOfItsOwn) {
  const auto one = hash_password("secret", 4);
  const auto other = hash_password("secret", 4);
  ASSERT_TRUE(one && other);
  EXPECT_THAT(*one, ::testing::StartsWith("$2y$04$"));
  EXPECT_EQ(one->size(), 60U);
  EXPECT_NE(*one, *other);
  EXPECT_TRUE(is_password("secret", *one));
  EXPECT_FALSE(is_password("Secret", *one));
}

TEST(PasswordHash_ThatIsFake, HasTheCostThatIsWanted) {
  for (const int cost : {kLowestCost, kUsualCost, kHighestCost}) {
    EXPECT_EQ(cost_of(fake_hash(cost)), cost);
    EXPECT_EQ(fake_hash(cost).size(), 60U);
  }
}

TEST_F(PasswordHash, IsNotMadeOfWhatNobodyCouldUse) {
  EXPECT_FALSE(hash_password("", 4));
  EXPECT_FALSE(hash_password(std::string_view("a\0b", 3), 4));
  EXPECT_TRUE(hash_password(std::string(72, 'a'), 4));
  EXPECT_FALSE(hash_password(std::string(73, 'a'), 4));
  EXPECT_FALSE(hash_password("a", 3));
  EXPECT_FALSE(hash_password("a", 32));
}

}  // namespace
}  // namespace winperf
