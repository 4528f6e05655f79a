// Names and ports, with the system's own resolver and loopback.
#include <gtest/gtest.h>

#include "collectors/diagnosis/facts.h"
#include "collectors/diagnosis/trial.h"

namespace winperf {
namespace {

TEST(LookAtTarget, AnAddressNeedsNoResolver) {
  TargetFacts target{.host = "127.0.0.1"};
  probe_target(target);
  EXPECT_EQ(target.has_address, true);
  EXPECT_TRUE(target.answers_smb.has_value()) << "whether it does depends on the machine";
}

TEST(LookAtTarget, AReservedNameHasNoAddress) {
  TargetFacts target{.host = "no-such-machine.invalid"};
  probe_target(target);
  EXPECT_NE(target.has_address, true) << "unknown where no resolver answers";
  EXPECT_EQ(target.answers_smb, std::nullopt);
}

TEST(ReadAccount, HasANameAndIsSomebody) {
  const AccountFacts account = read_account();
  EXPECT_FALSE(account.name.empty());
  EXPECT_NE(account.identity, NetworkIdentity::kUnknown);
}

}  // namespace
}  // namespace winperf
