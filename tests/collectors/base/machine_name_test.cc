#include "collectors/base/machine_name.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(MachineName, TakesNamesAndAddressesWithAndWithoutBackslashes) {
  for (const char* const name :
       {"SQL01", "sql-01.example.org", "srv_1", "192.0.2.7", "fe80::1%4", "2001:db8::1",
        "b\xC3\xBC"
        "ro",
        "x"}) {
    EXPECT_EQ(machine_name(name), name);
    EXPECT_EQ(machine_name(std::string("\\\\") + name), name);
  }
}

TEST(MachineName, IsNeverMoreThanAName) {
  for (const char* const text :
       {"",    "\\\\", "\\",    "\\SQL01", "\\\\\\SQL01", "SQL01\\winreg", "SQL01/x", "a b", " a",
        "a ",  "a\n",  "a\x7F", "a\t",     "srv@80",      "srv@SSL@443",   "srv*",    "s?v", "a\"b",
        "a<b", "a|b",  "..",    ".",       "[::1]",       "a,b",           "a;b",     "a'b", "a&b",
        "a$b", "a:445"})
    EXPECT_EQ(machine_name(text), std::nullopt) << text;
  EXPECT_EQ(machine_name(std::string_view("a\0b", 3)), std::nullopt);
  EXPECT_EQ(machine_name(std::string_view("a\0", 2)), std::nullopt);
}

TEST(MachineName, IsValidUtf8) {
  for (const char* const text : {"a\xC3", "a\xFF", "\xED\xA0\x80", "\xC0\xAF"})
    EXPECT_EQ(machine_name(text), std::nullopt) << text;
}

TEST(MachineName, IsNoLongerThanDnsAllows) {
  const std::string longest(kMaxMachineName, 'a');
  EXPECT_EQ(machine_name(longest), longest);
  EXPECT_EQ(machine_name("\\\\" + longest), longest);
  EXPECT_EQ(machine_name(longest + 'a'), std::nullopt);
}

}  // namespace
}  // namespace winperf
