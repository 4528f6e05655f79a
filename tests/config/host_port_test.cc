#include "config/host_port.h"

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
  for (const char* text : {"", ":", "a", "a:", "a:http", "a:1x", "9182", "::", "::1", "fe80::1:80",
                           "[::1]", "[::1]9182", "[::1:9182", "[]:9182:1", "http://a:1"})
    EXPECT_FALSE(split_host_port(text)) << text;
}

}  // namespace
}  // namespace winperf
