#include "collectors/facts/machine_texts.h"

#include <gtest/gtest.h>

#include <array>

namespace winperf {
namespace {

TEST(MachineTexts, Windows11IsNotCalled10) {
  EXPECT_EQ(product_name("Windows 10 Pro", 22'000), "Windows 11 Pro");
  EXPECT_EQ(product_name("Windows 10", 26'100), "Windows 11");
  EXPECT_EQ(product_name("Windows 10 Pro", 19'045), "Windows 10 Pro");
  EXPECT_EQ(product_name("Windows Server 2025 Datacenter", 26'100),
            "Windows Server 2025 Datacenter");
  EXPECT_EQ(product_name("Windows 100", 26'100), "Windows 100");
  EXPECT_EQ(product_name("  Windows 10 Pro ", 22'631), "Windows 11 Pro");
  EXPECT_EQ(product_name("", 22'000), "");
}

TEST(MachineTexts, AdaptersAreCalledAsTheirCounters) {
  EXPECT_EQ(nic_name("Intel(R) I350 Gigabit #2"), "Intel[R] I350 Gigabit _2");
  EXPECT_EQ(nic_name("a/b\\c"), "a_b_c");
  EXPECT_EQ(nic_name(""), "");
}

TEST(MachineTexts, MacAddressesHaveColons) {
  EXPECT_EQ(mac_text(std::array<std::uint8_t, 6>{0x00, 0x1A, 0x2B, 0x3C, 0x4D, 0xFE}),
            "00:1A:2B:3C:4D:FE");
  EXPECT_EQ(mac_text({}), "");
}

using V4 = std::array<std::uint8_t, 4>;
using V6 = std::array<std::uint8_t, 16>;

TEST(MachineTexts, OnlyAddressesThatOthersCanUseAreGlobal) {
  for (const V4 global : {V4{10, 0, 0, 5}, V4{192, 168, 1, 1}, V4{169, 253, 0, 1}, V4{223, 1, 1, 1},
                          V4{240, 0, 0, 1}, V4{255, 255, 255, 254}})
    EXPECT_TRUE(is_global_unicast(global)) << int{global[0]} << '.' << int{global[1]};
  for (const V4 other : {V4{0, 0, 0, 0}, V4{127, 0, 0, 1}, V4{127, 9, 9, 9}, V4{169, 254, 1, 1},
                         V4{224, 0, 0, 1}, V4{239, 255, 1, 1}, V4{255, 255, 255, 255}})
    EXPECT_FALSE(is_global_unicast(other)) << int{other[0]} << '.' << int{other[1]};
}

TEST(MachineTexts, TheSameOfIpv6) {
  V6 address{0x20, 0x01, 0x0D, 0xB8};
  address[15] = 1;
  EXPECT_TRUE(is_global_unicast(address));
  EXPECT_TRUE(is_global_unicast(V6{0xFD})) << "unique local ones are, as windows_exporter has it";
  EXPECT_TRUE(is_global_unicast(V6{0xFE, 0xC0})) << "site-local";
  EXPECT_FALSE(is_global_unicast(V6{0xFE, 0x80}));
  EXPECT_FALSE(is_global_unicast(V6{0xFE, 0xBF}));
  EXPECT_FALSE(is_global_unicast(V6{0xFF, 0x02}));
  V6 loopback{};
  EXPECT_FALSE(is_global_unicast(loopback)) << "::";
  loopback[15] = 1;
  EXPECT_FALSE(is_global_unicast(loopback)) << "::1";
  loopback[15] = 2;
  EXPECT_TRUE(is_global_unicast(loopback));
}

TEST(MachineTexts, WhatIsNoAddressIsNotGlobal) {
  EXPECT_FALSE(is_global_unicast({}));
  EXPECT_FALSE(is_global_unicast(std::array<std::uint8_t, 5>{10, 0, 0, 5, 1}));
}

TEST(MachineTexts, NumbersAsLabelsHaveThem) {
  EXPECT_EQ(joined_numbers({10, 2, 0, 2}), "0;2;10");
  EXPECT_EQ(joined_numbers({}), "");
}

TEST(MachineTexts, WhatIsAroundANameIsLeftOut) {
  EXPECT_EQ(without_device_prefix(R"(\\.\PHYSICALDRIVE0)"), "PHYSICALDRIVE0");
  EXPECT_EQ(without_device_prefix("a.b"), "a.b");
  EXPECT_EQ(without_device_prefix(R"(\\.\)"), "");
  EXPECT_EQ(without_blanks_at_end(" a b  "), " a b");
  EXPECT_EQ(without_blanks_at_end("   "), "");
  EXPECT_EQ(without_object_prefix(R"(\??\C:\pagefile.sys)"), R"(C:\pagefile.sys)");
  EXPECT_EQ(without_object_prefix(R"(C:\pagefile.sys)"), R"(C:\pagefile.sys)");
}

}  // namespace
}  // namespace winperf
