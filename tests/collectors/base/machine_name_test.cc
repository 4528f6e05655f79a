#include "collectors/base/machine_name.h"

#include <gmock/gmock.h>

#include <string>

namespace winperf {
namespace {

TEST(MachineName, TakesNamesAndAddressesWithAndWithoutBackslashes) {
  for (const char* const name : {"SQL01", "sql-01.example.org", "srv_1", "192.0.2.7", "2001:db8::1",
                                 "::ffff:192.0.2.7", "xn--bcher-kva", "root.", "x"}) {
    EXPECT_EQ(machine_name(name), name);
    EXPECT_EQ(machine_name(std::string("\\\\") + name), name);
  }
}

TEST(MachineName, IsNeverMoreThanAName) {
  for (const char* const text : {"",
                                 "\\\\",
                                 "\\",
                                 "\\SQL01",
                                 "\\\\\\SQL01",
                                 "SQL01\\winreg",
                                 "SQL01/x",
                                 "a b",
                                 " a",
                                 "a ",
                                 "a\n",
                                 "a\x7F",
                                 "a\t",
                                 "srv@80",
                                 "srv@SSL@443",
                                 "srv*",
                                 "s?v",
                                 "a\"b",
                                 "a<b",
                                 "a|b",
                                 "..",
                                 ".",
                                 "[::1]",
                                 "a,b",
                                 "a;b",
                                 "a'b",
                                 "a&b",
                                 "a$b",
                                 "a:445",
                                 "a..b",
                                 ".a",
                                 "a..",
                                 "a%s",
                                 "fe80::1%4",
                                 "a:b:c:g",
                                 "a\xC3",
                                 "a\xFF",
                                 "\xED\xA0\x80",
                                 "\xC0\xAF",
                                 "b\xC3\xBC"
                                 "cher",
                                 "web\xE2\x80\xAE",
                                 "\x1B[31m"})
    EXPECT_FALSE(machine_name(text)) << text;
  EXPECT_FALSE(machine_name(std::string_view("a\0b", 3)));
  EXPECT_FALSE(machine_name(std::string_view("a\0", 2)));
}

TEST(MachineName, ThatIsRefused_HasAReason) {
  struct Row {
    std::string text;
    const char* reason;
  };
  constexpr const char* kRest =
      ", but only letters, digits, \"-\", \".\", \"_\" and \":\" are allowed";
  for (const Row& row :
       {Row{"", "it is empty"}, Row{"\\\\", "it is empty"},
        Row{std::string(256, 'a'), "it has 256 bytes, and a name has at most 255"},
        Row{"web-%s", "it has \"%\" in it"}, Row{"web 1", "it has a blank in it"},
        Row{"web-\xE2\x80\xAE", "it has \"\\u202e\" in it"}, Row{"a\xFF", "it has \"\\xff\" in it"},
        Row{"b\xC3\xBC", "; DNS encodes other letters, as in xn--bcher-kva"},
        Row{"a:445", "it has a port: leave it out, because Windows chooses the port"},
        Row{"a:b:z", "a name with colons is an IPv6 address, which has hexadecimal digits"},
        Row{"a..b", "one of its parts between dots is empty"}}) {
    const auto name = machine_name(row.text);
    ASSERT_FALSE(name) << row.text;
    EXPECT_THAT(name.error(), ::testing::HasSubstr(row.reason));
  }
  EXPECT_THAT(machine_name("a%").error(), ::testing::EndsWith(kRest));
}

TEST(MachineName, IsNoLongerThanDnsAllows) {
  const std::string longest(kMaxMachineName, 'a');
  EXPECT_EQ(machine_name(longest), longest);
  EXPECT_EQ(machine_name("\\\\" + longest), longest);
  EXPECT_FALSE(machine_name(longest + 'a'));
}

}  // namespace
}  // namespace winperf
