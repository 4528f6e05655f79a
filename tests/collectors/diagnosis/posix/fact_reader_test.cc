#include "collectors/diagnosis/facts.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(MachineFacts, WhereNothingCanBeLookedUp_NothingIsKnown) {
  const MachineFacts facts = read_machine_facts();
  EXPECT_FALSE(facts.registry_known);
  EXPECT_FALSE(facts.replay);
  EXPECT_TRUE(facts.providers.empty());
  EXPECT_EQ(facts.perf_host, std::nullopt);
  EXPECT_EQ(facts.base_last_index, std::nullopt);
  EXPECT_EQ(facts.v2, std::nullopt);
}

}  // namespace
}  // namespace winperf
