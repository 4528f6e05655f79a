#include "exporter/auth/password_gate.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

Credentials alice(const std::string& password) { return {.user = "alice", .password = password}; }

TEST(RememberedPasswords, BelongToAUserAHashAndAPassword) {
  RememberedPasswords remembered;
  const auto digest = remembered.digest_of(alice("secret"), "hash");
  EXPECT_EQ(remembered.outcome_of("alice", digest), std::nullopt);
  remembered.remember("alice", digest, true);
  EXPECT_EQ(remembered.outcome_of("alice", remembered.digest_of(alice("secret"), "hash")), true);
  for (const auto& other : {remembered.digest_of(alice("secret2"), "hash"),
                            remembered.digest_of(alice("secret"), "other"),
                            remembered.digest_of({.user = "a", .password = "licesecret"}, "hash")})
    EXPECT_EQ(remembered.outcome_of("alice", other), std::nullopt);
  remembered.forget("alice");
  EXPECT_EQ(remembered.outcome_of("alice", digest), std::nullopt);
}

TEST(RememberedPasswords, ThatAreRightArePushedOutByNoGuess) {
  RememberedPasswords remembered;
  const auto right = remembered.digest_of(alice("secret"), "hash");
  remembered.remember("alice", right, true);
  std::size_t wrong = 0;
  for (int i = 0; i < 1000; ++i)
    remembered.remember("alice", remembered.digest_of(alice(std::to_string(i)), "hash"), false);
  for (int i = 0; i < 1000; ++i) {
    const auto digest = remembered.digest_of(alice(std::to_string(i)), "hash");
    const auto outcome = remembered.outcome_of("alice", digest);
    EXPECT_NE(outcome, true);
    wrong += outcome == false ? 1 : 0;
  }
  EXPECT_EQ(remembered.outcome_of("alice", right), true);
  EXPECT_EQ(wrong, RememberedPasswords::kMostWrong);
}

TEST(RememberedPasswords, AreNotTheSameForAnother) {
  EXPECT_NE(RememberedPasswords().digest_of(alice("secret"), "hash"),
            RememberedPasswords().digest_of(alice("secret"), "hash"))
      << "each has a key of its own";
}

}  // namespace
}  // namespace winperf
