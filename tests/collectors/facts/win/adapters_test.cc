// Before windows.h.
#include <winsock2.h>

#include <iphlpapi.h>
#include <windows.h>

#include <gtest/gtest.h>

#include <vector>

#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/win/topics.h"
#include "tests/collectors/facts/win/fact_values.h"

namespace winperf {
namespace {

std::vector<std::byte> interface_table() {
  ULONG size = 0;
  GetIfTable(nullptr, &size, FALSE);
  std::vector<std::byte> bytes(size);
  if (GetIfTable(reinterpret_cast<MIB_IFTABLE*>(bytes.data()), &size, FALSE) != NO_ERROR)
    bytes.clear();
  return bytes;
}

TEST(AdapterFacts, EachHasANameAndAStatus) {
  const auto answer = read_adapters();
  ASSERT_TRUE(answer) << describe(answer.error());
  ASSERT_FALSE(answer->rows.empty());
  EXPECT_TRUE(says_only_what_is_known(*answer));
  for (const FactRow& row : answer->rows) {
    EXPECT_NE(row.find("nic"), nullptr);
    EXPECT_NE(row.find("status"), nullptr) << row.text_of("nic");
    EXPECT_EQ(row.text_of("nic").find_first_of("()#/\\"), std::string::npos) << row.text_of("nic");
  }
}

// Of all that GetIfTable lists, each MAC address that an adapter has is one that we have.
TEST(AdapterFacts, MacAddressesAreThoseOfTheInterfaceTable) {
  const auto answer = read_adapters();
  ASSERT_TRUE(answer);
  const auto bytes = interface_table();
  ASSERT_FALSE(bytes.empty());
  const auto& table = *reinterpret_cast<const MIB_IFTABLE*>(bytes.data());
  int found = 0;
  for (const FactRow& row : answer->rows) {
    if (row.find("mac") == nullptr) continue;
    bool listed = false;
    for (DWORD i = 0; i < table.dwNumEntries; ++i)
      listed |=
          mac_text({table.table[i].bPhysAddr, table.table[i].dwPhysAddrLen}) == row.text_of("mac");
    EXPECT_TRUE(listed) << row.text_of("mac");
    ++found;
  }
  EXPECT_GT(found, 0) << "a machine without a network has nothing to test";
}

TEST(AdapterFacts, AddressesAreOthersWayToThisMachine) {
  const auto answer = read_adapters();
  ASSERT_TRUE(answer);
  std::string all;
  for (const FactRow& row : answer->rows) all += row.text_of("addresses") + ';';
  EXPECT_NE(all.find("ipv4 "), std::string::npos) << all;
  EXPECT_EQ(all.find("ipv4 127."), std::string::npos) << all;
  EXPECT_EQ(all.find("ipv6 fe80:"), std::string::npos) << all;
  EXPECT_EQ(all.find("ipv6 ::1;"), std::string::npos) << all;
}

}  // namespace
}  // namespace winperf
