#include "config/edit.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>

#include "config/config.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;

TEST(ExampleConfig, IsTheFile) {
  std::ifstream file(std::string(WINPERF_SOURCE_DIR) + "/config/winperf_exporter.yaml",
                     std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  EXPECT_EQ(example_config(), text.str());
}

TEST(ExampleConfig, WithoutValues_IsItself) {
  EXPECT_EQ(*example_config_with({}, {}), example_config());
}

TEST(ExampleConfig, HasTheValuesAndNothingElseChanged) {
  const auto text = example_config_with("::1", "9999");
  ASSERT_TRUE(text) << text.error();
  const auto config = parse_config(*text, "test");
  ASSERT_TRUE(config);
  Config expected = *parse_config(example_config(), "example");
  expected.listen = {ListenConfig{.address = "::1", .port = 9999}};
  EXPECT_EQ(*config, expected);
}

TEST(ExampleConfig, WrongValues_AreRefusedWithASentence) {
  EXPECT_THAT(example_config_with({}, "http").error(), HasSubstr("whole number"));
  EXPECT_THAT(example_config_with({}, "70000").error(), HasSubstr("listen.port"));
  EXPECT_THAT(example_config_with("", {}).error(), HasSubstr("listen.address"));
  EXPECT_THAT(example_config_with("a\"b\nc", {}).error(), HasSubstr("listen.address"));
}

}  // namespace
}  // namespace winperf
