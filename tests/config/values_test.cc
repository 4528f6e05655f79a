// The limits of single values that the option table does not hold.
#include "config/values.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "config/config.h"

namespace winperf {
namespace {

// In ASCII: DEL as such is refused before anything is read.
bool is_good(const nlohmann::json& file) {
  return parse_config(file.dump(-1, ' ', true), "test").has_value();
}
bool is_address(const std::string& text) { return is_good({{"listen", {{"address", text}}}}); }
bool is_file(const std::string& text) { return is_good({{"log", {{"file", text}}}}); }
bool is_name(const nlohmann::json& value) {
  return is_good({{"countersets", {{{"name", value}}}}});
}
bool is_instance_pattern(const std::string& text) {
  return is_good({{"countersets", {{{"name", "Memory"}, {"instances", {{"include", {text}}}}}}}});
}

TEST(ConfigValues, AddressesAreTakenAsTheyAreWritten) {
  for (const char* address : {"10.0.0.255", "::", "fe80::1%eth0", "::ffff:10.0.0.1", "server-01",
                              "10.example.com", "1-2-3"}) {
    const auto config =
        parse_config(nlohmann::json{{"listen", {{"address", address}}}}.dump(), "test");
    ASSERT_TRUE(config) << describe(config.error().front());
    EXPECT_EQ(config->listen.front().address, address);
  }
}

TEST(ConfigValues, AnAddressOfNumbersHasFourOfThemUpTo255) {
  for (const char* good : {"0.0.0.0", "255.255.255.255", "1.2.3.4"})
    EXPECT_TRUE(is_address(good)) << good;
  for (const char* bad : {"256.0.0.1", "1.256.0.1", "1.2.256.1", "1.2.3.256", "1.2.3", "1.2.3.4.5",
                          "1..3.4", "1.2.3.", ".2.3.4", "1.2.3.99999999999999999999"})
    EXPECT_FALSE(is_address(bad)) << bad;
}

// More than one dot are an address or a version.
TEST(ConfigValues, ANumberHasOneDotAtMost) {
  EXPECT_FALSE(parse_config("countersets: [{name: 1.2}]", "test")) << "no title index";
  for (const std::string name : {"1.2.3", "1.2.3.4"}) {
    const auto config = parse_config("countersets: [{name: " + name + "}]", "test");
    ASSERT_TRUE(config) << describe(config.error().front());
    EXPECT_EQ(config->countersets.front().names, std::vector{name});
  }
}

TEST(ConfigValues, AnAddressWithColonsHasTwoOfThemAndHexadecimalDigits) {
  for (const char* good : {"::", "a::f", "A::F", "::1%eth0"}) EXPECT_TRUE(is_address(good)) << good;
  for (const char* bad : {"a:b", ":", "::g", "::1 ", "::1%e th"})
    EXPECT_FALSE(is_address(bad)) << bad;
}

TEST(ConfigValues, AHostIsAnAddressOrANameWithoutAPort) {
  const auto is_host = [](const std::string& text) {
    return is_good({{"listen", {{"hosts", {"a", text}}}}});
  };
  for (const char* good : {"metrics", "metrics.example.com", "10.0.0.5", "::1"})
    EXPECT_TRUE(is_host(good)) << good;
  for (const char* bad : {"", " ", "a:1", "[::1]", "http://a", "a/b", "*", "10.0.0", "a\tb"})
    EXPECT_FALSE(is_host(bad)) << bad;
  EXPECT_TRUE(is_host(std::string(255, 'a')));
  EXPECT_FALSE(is_host(std::string(256, 'a')));
}

TEST(ConfigValues, ThereAreUpTo32Hosts) {
  for (const std::size_t count : {0U, 1U, 32U, 33U}) {
    const nlohmann::json file{{"listen", {{"hosts", Names(count, "a")}}}};
    const auto config = parse_config(file.dump(), "test");
    EXPECT_EQ(config.has_value(), count <= 32) << count;
    if (config) {
      EXPECT_EQ(config->listen.front().hosts, Names(count, "a"));
    }
  }
}

TEST(ConfigValues, TextHasNoControlCharacters) {
  for (int byte = 0; byte < 0x80; ++byte) {
    const std::string text = std::string("a") + static_cast<char>(byte) + "b";
    const bool is_control = byte < 0x20 || byte == 0x7F;
    EXPECT_EQ(is_file(text), !is_control) << byte;
    EXPECT_EQ(is_name(text), !is_control) << byte;
    if (is_control) {
      EXPECT_FALSE(is_address(text)) << byte;
      EXPECT_FALSE(is_good({{"listen", text}})) << byte;
      EXPECT_FALSE(is_instance_pattern(text)) << byte;
    }
  }
}

TEST(ConfigValues, ANameIsOfUpTo1024Bytes) {
  EXPECT_TRUE(is_name(std::string(1024, 'a')));
  EXPECT_FALSE(is_name(std::string(1025, 'a')));
  EXPECT_TRUE(is_name("a"));
  EXPECT_FALSE(is_name(""));
  EXPECT_FALSE(is_name(" "));
}

TEST(ConfigValues, ATitleIndexIsFrom1To4294967295) {
  EXPECT_FALSE(is_name(0));
  EXPECT_TRUE(is_name(1));
  EXPECT_TRUE(is_name(4'294'967'295));
  EXPECT_FALSE(is_name(4'294'967'296));
}

TEST(ConfigValues, APatternIsOfUpTo1000Bytes) {
  EXPECT_TRUE(is_instance_pattern(std::string(1000, 'a')));
  EXPECT_FALSE(is_instance_pattern(std::string(1001, 'a')));
}

TEST(ConfigValues, ListsHaveOneTwoOrManyEntriesAndNamesNotNone) {
  EXPECT_FALSE(is_name(nlohmann::json::array()));
  for (const std::size_t count : {1U, 2U, 100U}) {
    Names names;
    for (std::size_t i = 0; i < count; ++i) names.push_back("n" + std::to_string(i));
    const nlohmann::json file{{"countersets", {{{"name", names}}}}};
    const auto config = parse_config(file.dump(), "test");
    ASSERT_TRUE(config) << describe(config.error().front());
    EXPECT_EQ(config->countersets.at(0).names, names);
  }
}

}  // namespace
}  // namespace winperf
