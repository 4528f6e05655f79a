// The files that are derived from the option table: the example, the schema, and the table in the
// documentation. With WINPERF_UPDATE_FILES=1 in the environment the test rewrites them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "config/config.h"
#include "config/document.h"
#include "config/options.h"
#include "tests/config/example_text.h"
#include "tests/config/json_schema.h"

namespace winperf {
namespace {

using nlohmann::literals::operator""_json_pointer;

const std::filesystem::path kSourceDir = WINPERF_SOURCE_DIR;
constexpr std::string_view kTableBegin = "<!-- keys: begin -->\n";
constexpr std::string_view kTableEnd = "<!-- keys: end -->\n";

std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  EXPECT_TRUE(stream.is_open()) << path;
  std::string content{std::istreambuf_iterator<char>(stream), {}};
  std::erase(content, '\r');  // a checkout may have converted the line ends
  return content;
}

void expect_content(const std::filesystem::path& path, const std::string& expected) {
  if (std::getenv("WINPERF_UPDATE_FILES") != nullptr) {
    std::ofstream(path, std::ios::binary) << expected;
  }
  EXPECT_EQ(content_of(path), expected)
      << "run this test with WINPERF_UPDATE_FILES=1 in the environment and review the change";
}

// The kind's words with what is the option's.
std::string kind_text(const Option& option) {
  const TakenValue& takes = option.takes;
  const auto limit = [&](std::int64_t number) {
    return takes.kind->limit_text != nullptr ? takes.kind->limit_text(number)
                                             : std::to_string(number);
  };
  std::string choices;
  for (const Choice& choice : takes.choices)
    choices += (choices.empty() ? "`" : ", `") + std::string(choice.word) + "`";
  std::string text(takes.kind->words);
  for (const auto& [what, by] :
       {std::pair{"{min}", limit(takes.minimum)}, std::pair{"{max}", limit(takes.maximum)},
        std::pair{"{choices}", choices}})
    if (const std::size_t at = text.find(what); at != text.npos)
      text.replace(at, std::string_view(what).size(), by);
  return text;
}

std::string keys_table() {
  std::string table = "| key | value | default | meaning |\n|---|---|---|---|\n";
  for (const Option& option : config_options()) {
    const std::string default_value(option.default_value);
    table += "| `" + std::string(option.path) + "` | " + kind_text(option) + " | " +
             (default_value.empty() ? "" : "`" + default_value + "`") + " | " +
             std::string(option.description) + " |\n";
  }
  return table;
}

TEST(ConfigExample, IsTheOneOfTheTable) {
  expect_content(kSourceDir / "config" / "winperf_exporter.yaml", example_text());
}

TEST(ConfigExample, EqualsTheDefaults) {
  const auto config = load_config_file(kSourceDir / "config" / "winperf_exporter.yaml");
  ASSERT_TRUE(config.has_value()) << describe(config.error().front());
  EXPECT_EQ(config->config, default_config());
}

TEST(ConfigExample, ShowsEveryKey) {
  const std::string example = content_of(kSourceDir / "config" / "winperf_exporter.yaml");
  for (const Option& option : config_options()) {
    const std::string assignment = std::string(key_of(option)) + ":";
    EXPECT_NE(example.find(assignment), std::string::npos) << option.path;
  }
}

TEST(ConfigExample, ShowsValuesThatAreAccepted) {
  for (const Option& option : config_options()) {
    // It shows no password's hash.
    if (option.takes.kind->read == nullptr || option.path == "listen.web.basic_auth_users")
      continue;
    const auto document = read_document("{x: " + shown_value(option) + '}');
    ASSERT_TRUE(document) << option.path;
    const auto value = option.takes.kind->read(option, *child_of(document->root, "x"));
    EXPECT_TRUE(value) << value.error().message;
  }
}

TEST(ConfigSchema, IsTheOneOfTheTable) {
  expect_content(kSourceDir / "config" / "winperf_exporter.schema.json", config_json_schema());
}

std::string pointer_to(const Option& option) {
  std::string pointer = "/properties/";
  for (const char c : option.path) pointer += c == '.' ? "/properties/" : std::string(1, c);
  const auto with = [&](std::string_view key, const char* form) {
    return std::string(pointer).replace(pointer.find(key), key.size(), form);
  };
  // Their entries are objects only.
  constexpr std::string_view kMetrics = "metrics[]";
  if (const std::size_t at = pointer.find(kMetrics); at != std::string::npos)
    pointer.replace(at, kMetrics.size(), "metrics/items");
  // The third form of a counterset's entry is the object.
  if (option.path.starts_with("countersets[]"))
    return with("countersets[]", "countersets/items/oneOf/2");
  if (option.path.starts_with("targets[]")) return with("targets[]", "targets/items");
  if (option.path.contains("counters[]")) return with("counters[]", "counters/items");
  if (option.path.starts_with("facts[]")) return with("facts[]", "facts/items/oneOf/1");
  // The first form of "listen" is the object.
  if (option.path.starts_with("listen.")) return with("listen", "listen/oneOf/0");
  return pointer;
}

TEST(ConfigSchema, HasEveryKey) {
  const auto schema = nlohmann::json::parse(config_json_schema());
  for (const Option& option : config_options()) {
    const std::string pointer = pointer_to(option);
    EXPECT_TRUE(schema.contains(nlohmann::json::json_pointer(pointer))) << pointer;
  }
}

TEST(ConfigSchema, OfListsHasTheirLimits) {
  const auto schema = nlohmann::json::parse(config_json_schema());
  const auto& list = schema["/properties/listen/oneOf/1"_json_pointer];
  EXPECT_EQ(list["minItems"], 1);
  EXPECT_EQ(list["maxItems"], 8);
  EXPECT_EQ(list["items"]["$ref"], "#/properties/listen/oneOf/0") << "the object";
  const auto& keys = schema["/properties/listen/oneOf/0/properties"_json_pointer];
  EXPECT_EQ(keys["/serve/oneOf/0/enum"_json_pointer], (nlohmann::json{"metrics", "api", "page"}));
  EXPECT_EQ(keys["/serve/oneOf/1/minItems"_json_pointer], 1);
  EXPECT_EQ(keys["/serve/oneOf/1/uniqueItems"_json_pointer], true);
  EXPECT_EQ(keys["/hosts/oneOf/1/maxItems"_json_pointer], 32);
  EXPECT_EQ(keys["/hosts/oneOf/1/items/maxLength"_json_pointer], 255);
}

TEST(ConfigDocumentation, HoldsTheTable) {
  const std::filesystem::path path = kSourceDir / "docs" / "configuration.md";
  const std::string page = content_of(path);
  const std::size_t begin = page.find(kTableBegin);
  const std::size_t end = page.find(kTableEnd);
  ASSERT_NE(begin, std::string::npos);
  ASSERT_NE(end, std::string::npos);
  expect_content(
      path, page.substr(0, begin) + std::string(kTableBegin) + keys_table() + page.substr(end));
}

}  // namespace
}  // namespace winperf
