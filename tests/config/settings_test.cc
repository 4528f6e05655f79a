// The values of all keys, and where they come from.
#include "config/settings.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "config/config.h"
#include "config/document.h"
#include "config/options.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Settings settings_in(std::string_view text) {
  const auto document = read_document(text);
  EXPECT_TRUE(document.has_value());
  return settings_of(*document, text);
}

Setting find_setting(const Settings& settings, const std::string& key) {
  for (const Setting& setting : settings)
    if (setting.key == key) return setting;
  return {.key = "", .value = "nothing has the key " + key};
}

TEST(Settings, HaveTheValueAndTheLineOfTheFile) {
  const Settings settings = settings_in("interval: 10s\nlog:\n  level: warn\n  max_files: 3\n");
  EXPECT_EQ(find_setting(settings, "interval").value, "\"10s\"");
  EXPECT_EQ(find_setting(settings, "interval").line, 1u);
  EXPECT_EQ(find_setting(settings, "log.level").value, "\"warn\"");
  EXPECT_EQ(find_setting(settings, "log.level").line, 3u);
  EXPECT_EQ(find_setting(settings, "log.max_files").value, "3");
  EXPECT_EQ(find_setting(settings, "log.format").value, "\"text\"");
  EXPECT_EQ(find_setting(settings, "log.format").line, 0u) << "a default";
}

TEST(Settings, WithoutAFileHaveAllDefaultsAsJson) {
  const Settings settings = default_settings();
  EXPECT_EQ(find_setting(settings, "listen[0].port").value, "10182");
  EXPECT_EQ(find_setting(settings, "recorder.memory").value, "null");
  for (const Setting& setting : settings) {
    EXPECT_TRUE(nlohmann::json::accept(setting.value)) << setting.key << ": " << setting.value;
    EXPECT_EQ(setting.line, 0u);
  }
}

TEST(Settings, OfEntriesHaveTheirPlace) {
  const Settings settings = settings_in(
      "listen:\n- {port: 1}\n- {address: \"::1\", port: 2}\n"
      "countersets:\n- Memory\n- {name: System, interval: 1m}\n");
  EXPECT_EQ(find_setting(settings, "listen[1].address").value, "\"::1\"");
  EXPECT_EQ(find_setting(settings, "listen[0].address").value, "\"::\"");
  EXPECT_EQ(find_setting(settings, "countersets[0]").value, "\"Memory\"");
  EXPECT_EQ(find_setting(settings, "countersets[1].interval").value, "\"1m\"");
  EXPECT_EQ(find_setting(settings, "countersets[1].interval").line, 6u);
  EXPECT_THAT(find_setting(settings, "countersets[1].path").value, HasSubstr("nothing"));
}

// Whatever kind of key it is under.
TEST(Settings, HaveNoSecret) {
  const Settings settings = settings_in(R"(
listen:
  web:
    basic_auth_users: {prometheus: "$2y$10$HUNTER"}
    tls_server_config: {cert: "HUNTER", key: "HUNTER", key_file: server.key}
    http_server_config: {headers: {X-XSS-Protection: HUNTER}}
)");
  EXPECT_EQ(find_setting(settings, "listen[0].web.basic_auth_users").value, "\"set\"");
  EXPECT_EQ(find_setting(settings, "listen[0].web.tls_server_config.key").value, "\"set\"");
  EXPECT_EQ(find_setting(settings, "listen[0].web.tls_server_config.key_file").value,
            "\"server.key\"");
  for (const Setting& setting : settings) EXPECT_THAT(setting.value, Not(HasSubstr("HUNTER")));
}

TEST(Settings, AnyTextIsJson) {
  const Settings settings = settings_in(
      "log: {file: \"a\\\"b\\n\\u00fc\"}\ncountersets: [007, -0, 1e5, yes, 12, \"12\"]\n");
  for (const Setting& setting : settings)
    EXPECT_TRUE(nlohmann::json::accept(setting.value)) << setting.key << ": " << setting.value;
  EXPECT_EQ(find_setting(settings, "countersets[0]").value, "\"007\"");
  EXPECT_EQ(find_setting(settings, "countersets[4]").value, "12");
  EXPECT_EQ(find_setting(settings, "countersets[5]").value, "\"12\"");
}

TEST(Settings, TheCommandLineReplacesTheFile) {
  Settings settings = settings_in("metrics: {path: /a}\nlisten: {port: 1}\n");
  override_setting(settings, "metrics.path", "\"/b\"", "--web.telemetry-path");
  EXPECT_EQ(find_setting(settings, "metrics.path").value, "\"/b\"");
  EXPECT_EQ(find_setting(settings, "metrics.path").option, "--web.telemetry-path");
  EXPECT_EQ(find_setting(settings, "metrics.path").line, 0u);
  remove_settings(settings, "listen");
  EXPECT_THAT(find_setting(settings, "listen[0].port").value, HasSubstr("nothing"));
  EXPECT_EQ(find_setting(settings, "log.level").value, "\"info\"");
}

}  // namespace
}  // namespace winperf
