#include "service/run/overrides.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using ::testing::ElementsAre;

ListenConfig listen_config(const std::string& address, std::uint16_t port) {
  return {.address = address, .port = port};
}

TEST(ListenOption, IsAnAddressAndAPort) {
  EXPECT_EQ(parse_listen("localhost:8080", {}), listen_config("localhost", 8080));
  EXPECT_EQ(parse_listen("[::1]:65535", {}), listen_config("::1", 65535));
  EXPECT_EQ(parse_listen("[fe80::1%eth0]:1", {}), listen_config("fe80::1%eth0", 1));
}

// As in windows_exporter and everywhere else in the ecosystem.
TEST(ListenOption_WithoutAnAddress, IsEveryInterfaceOfBothFamilies) {
  EXPECT_EQ(parse_listen(":0", {}), listen_config("::", 0));
}

// What is open on loopback must not be opened to everyone by an option that doesn't say so.
TEST(ListenOption, IsServedWhatItsAddressIsConfiguredToServe) {
  ListenConfig loopback = listen_config("127.0.0.1", 1);
  loopback.serve = {{Served::kApi}};
  loopback.hosts = {"a"};
  EXPECT_EQ(parse_listen(":7", {loopback}), listen_config("::", 7));
  EXPECT_EQ(parse_listen("localhost:7", {loopback}), listen_config("localhost", 7));
  ListenConfig same = loopback;
  same.port = 7;
  EXPECT_EQ(parse_listen("127.0.0.1:7", {listen_config("::1", 2), loopback}), same);
}

TEST(ListenOption_ThatIsWrong, SaysWhatToWrite) {
  for (const std::string text :
       {"", "8080", "a:", "a:x", "a:65536", "a:80x", "a:-1", "a: 80", "[::1", "[::1]", "::1:80",
        "[]:80", "[a]:80", "[::1]x:80", "[[::1]]:80", "a]:80", "*:80", "127.1:80", "a b:80"}) {
    const auto parsed = parse_listen(text, {});
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error(),
              "--listen must be ADDRESS:PORT, such as 127.0.0.1:10182 or [::1]:10182, not \"" +
                  text + "\"");
  }
}

TEST(ParseListen, KeepsTheProtectionOfTheAddressOrOfTheOneThatHasMost) {
  ListenConfig first = listen_config("127.0.0.1", 1);
  first.web_file = "first.yml";
  first.web.users = {{.name = "a", .password_hash = "b"}};
  ListenConfig second = listen_config("::1", 2);
  second.web_file = "second.yml";
  EXPECT_EQ(parse_listen("[::1]:7", {first, second})->web_file, "second.yml");
  EXPECT_EQ(parse_listen("localhost:7", {first, second})->web_file, "first.yml");
  EXPECT_EQ(parse_listen("localhost:7", {first, second})->web, first.web);
  EXPECT_EQ(parse_listen("localhost:7", {})->web, WebConfig{});
  // One for health checks is often the first.
  EXPECT_EQ(parse_listen("localhost:7", {second, first})->web_file, "first.yml");
  ListenConfig third = listen_config("0.0.0.0", 3);
  third.web = first.web;
  third.web.tls.certificate.file = "c";
  EXPECT_EQ(parse_listen("localhost:7", {second, first, third})->web, third.web);
}

}  // namespace
}  // namespace winperf
