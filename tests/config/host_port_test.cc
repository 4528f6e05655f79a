#include "config/hosts.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(HostPort, IsSplitAtTheLastColon) {
  EXPECT_EQ(split_host_port("10.0.0.5:9182"), (HostPort{"10.0.0.5", "9182"}));
  EXPECT_EQ(split_host_port("localhost:0"), (HostPort{"localhost", "0"}));
  EXPECT_EQ(split_host_port(":9182"), (HostPort{"", "9182"}));
  EXPECT_EQ(split_host_port("[::1]:9182"), (HostPort{"::1", "9182"}));
  EXPECT_EQ(split_host_port("a:99999"), (HostPort{"a", "99999"})) << "not checked here";
}

TEST(HostPort, IsNoneWithoutAPort) {
  for (const char* text :
       {"",           ":",    "a",          "a:",        "a:http",    "a:1x",      "9182",
        "::",         "::1",  "fe80::1:80", "[::1]",     "[::1]9182", "[::1:9182", "[]:9182:1",
        "http://a:1", "[]:1", "[a]:1",      "[[::1]]:1", "a]:1",      "[::1]x:1"})
    EXPECT_FALSE(split_host_port(text)) << text;
}

TEST(Host, IsANameOrAnAddress) {
  for (const char* text :
       {"localhost", "a.example", "127.0.0.1", "::", "::1", "fe80::1%eth0", "1a"})
    EXPECT_TRUE(is_host(text)) << text;
  for (const char* text : {"", " ", "*", "a b", "[::1]", "127.1", "1.2.3.256", "a:b", "a/b",
                           "b\xc3\xbc.example", "a\x7f"})
    EXPECT_FALSE(is_host(text)) << text;
  EXPECT_TRUE(is_host(std::string(kMaxHostBytes, 'a')));
  EXPECT_FALSE(is_host(std::string(kMaxHostBytes + 1, 'a')));
}

}  // namespace
}  // namespace winperf
