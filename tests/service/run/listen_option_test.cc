#include "service/run/listen_option.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using ::testing::ElementsAre;

const ListenConfig kConfigured{
    .address = "127.0.0.1", .port = 1, .serve = {{Served::kApi}}, .hosts = {"a"}};

ListenConfig at(const std::string& address, std::uint16_t port) {
  ListenConfig where = kConfigured;
  where.address = address;
  where.port = port;
  return where;
}

TEST(ListenOption, IsAnAddressAndAPort) {
  EXPECT_EQ(parse_listen("localhost:8080", kConfigured), at("localhost", 8080));
  EXPECT_EQ(parse_listen("[::1]:65535", kConfigured), at("::1", 65535));
  EXPECT_EQ(parse_listen("[fe80::1%eth0]:1", kConfigured), at("fe80::1%eth0", 1));
}

// As in windows_exporter and everywhere else in the ecosystem.
TEST(ListenOption_WithoutAnAddress, IsEveryInterfaceOfBothFamilies) {
  EXPECT_EQ(parse_listen(":0", kConfigured), at("::", 0));
}

TEST(ListenOption_ThatIsWrong, SaysWhatToWrite) {
  for (const std::string text :
       {"", "8080", "a:", "a:x", "a:65536", "a:80x", "a:-1", "a: 80", "[::1", "[::1]", "::1:80",
        "[]:80", "[a]:80", "[::1]x:80", "[[::1]]:80", "a]:80"}) {
    const auto parsed = parse_listen(text, kConfigured);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error(),
              "--listen must be ADDRESS:PORT, such as 127.0.0.1:10182 or [::1]:10182, not \"" +
                  text + "\"");
  }
}

TEST(ListenAddresses, AreThoseOfTheConfigurationOrTheOptionAlone) {
  Config config;
  config.listen = {kConfigured, at("::1", 2)};
  EXPECT_EQ(listen_addresses("", config), config.listen);
  EXPECT_THAT(listen_addresses("localhost:7", config).value(), ElementsAre(at("localhost", 7)));
  EXPECT_FALSE(listen_addresses("localhost", config));
}

}  // namespace
}  // namespace winperf
