#include "config/migration/settings.h"

#include <gtest/gtest.h>

#include "config/migration/selection.h"

namespace winperf::migration {
namespace {

TEST(MeantKey, IsTheOneAtTheRightPlace) {
  const std::pair<const char*, const char*> kKeys[] = {
      {"process.include", "collector.process.include"},
      {"collectors.process.include", "collector.process.include"},
      {"collector.collector.process.include", "collector.process.include"},
      {"service.include", "collector.service.include"},
      {"logical_disk.volume-exclude", "collector.logical_disk.volume-exclude"},
      {"collector.enabled", "collectors.enabled"},
      {"enabled", "collectors.enabled"},
      {"telemetry.listen-address", "web.listen-address"},
      {"listen-address", "web.listen-address"},
      {"collector.textfile.directory.directories", "collector.textfile.directories"},
      {"textfile.directories", "collector.textfile.directories"},
      {"web.path", "telemetry.path"},
      {"collector.log.level", "log.level"},
      {"performancecounter.objects", "collector.performancecounter.objects"}};
  for (const auto& [key, meant] : kKeys) EXPECT_EQ(meant_key(key), meant) << key;
}

TEST(MeantKey, IsTheOneThatIsSpeltRight) {
  EXPECT_EQ(meant_key("collector.proces.include"), "collector.process.include");
  EXPECT_EQ(meant_key("collectors.enable"), "collectors.enabled");
  EXPECT_EQ(meant_key("web.listen-adress"), "web.listen-address");
  EXPECT_EQ(meant_key("collector.service.includes"), "collector.service.include");
}

TEST(MeantKey, OfAKnownKey_OrOfNothingNear_IsNone) {
  EXPECT_EQ(meant_key("collectors.enabled"), "");
  EXPECT_EQ(meant_key("something.quite.different"), "");
  EXPECT_EQ(meant_key(""), "");
  EXPECT_EQ(meant_key("."), "");
  EXPECT_EQ(meant_key("a."), "");
}

TEST(DefaultCollectors, AreWhatPeopleWrite) {
  const auto enabled = [](const Settings& settings) {
    Progress progress(settings);
    return enabled_collectors(progress).names;
  };
  const auto by_name = [&](const char* name) {
    return enabled({{.key = "collectors.enabled", .values = {name}, .place = "--e"}});
  };
  const auto defaults = enabled({});
  for (const char* name :
       {"[defaults]", "[default]", "defaults", "default", "[Defaults]", "DEFAULT"})
    EXPECT_EQ(by_name(name), defaults) << name;
  for (const char* name : {"[]", "cpu", "[cpu]", "[defaults", "defaults]", "default_x"})
    EXPECT_EQ(by_name(name), std::vector<std::string>{name}) << name;
  EXPECT_TRUE(by_name("").empty());
}

}  // namespace
}  // namespace winperf::migration
