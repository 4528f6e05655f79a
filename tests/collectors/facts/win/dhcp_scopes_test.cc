#include <gtest/gtest.h>

#include <cstddef>

#include "collectors/facts/win/dhcp_api.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

// A machine without the DHCP server, as Wine is one, has no such library, or nobody answers.
TEST(DhcpScopesOnWindowsTest, ScopesOfThisMachine_AreEmptyWithoutAServer) {
  const auto scopes = read_dhcp_scopes();
  ASSERT_TRUE(scopes) << describe(scopes.error());
  for (const FactRow& row : scopes->rows) EXPECT_NE(row.find("scope"), nullptr);
}

// As the compilers of the SDK lay them out on a 64-bit system.
TEST(DhcpApiTest, Structures_HaveTheirMembersWhereTheLibraryHasThem) {
  static_assert(sizeof(void*) == 8);
  EXPECT_EQ(offsetof(dhcp::SubnetInfo, name), 8u);
  EXPECT_EQ(offsetof(dhcp::SubnetInfo, host_netbios_name), 32u);
  EXPECT_EQ(offsetof(dhcp::SubnetInfo, state), 48u);
  EXPECT_EQ(offsetof(dhcp::SuperscopeTable, elements), 8u);
  EXPECT_EQ(sizeof(dhcp::Superscope), 24u);
  EXPECT_EQ(offsetof(dhcp::Superscope, name), 16u);
  EXPECT_EQ(sizeof(dhcp::ScopeUse), 16u);
  EXPECT_EQ(offsetof(dhcp::MibInfo, count), 72u);
  EXPECT_EQ(offsetof(dhcp::MibInfo, scopes), 80u);
  EXPECT_EQ(sizeof(dhcp::FailoverStatistics), 28u);
}

}  // namespace
}  // namespace winperf
