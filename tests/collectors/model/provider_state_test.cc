#include "collectors/model/worker_state.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(ProviderStanding, HasTheNamesThatLabelsShow) {
  EXPECT_EQ(name_of(ProviderStanding::kNew), "new");
  EXPECT_EQ(name_of(ProviderStanding::kTrusted), "trusted");
  EXPECT_EQ(name_of(ProviderStanding::kProbation), "probation");
  EXPECT_EQ(name_of(ProviderStanding::kQuarantine), "quarantine");
  EXPECT_EQ(name_of(ProviderStanding::kShared), "shared");
}

}  // namespace
}  // namespace winperf
