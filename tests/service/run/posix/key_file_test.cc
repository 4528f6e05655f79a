#include "service/run/key_file.h"

#include <gmock/gmock.h>
#include <spdlog/sinks/callback_sink.h>
#include <sys/stat.h>

#include <atomic>
#include <string_view>

#include "service/run/protection.h"
#include "tests/exporter/support/certificates.h"
#include "tests/service/run/running_server.h"
#include "tests/service/run/temp_folder.h"

namespace winperf {
namespace {

TEST(KeyFile, ThatOthersReadNamesThem) {
  const testing::TempFolder folder;
  const auto file = folder.path() / "a.key";
  ASSERT_TRUE(write_private_file(file, "secret"));
  const auto readers = [&](mode_t mode) {
    EXPECT_EQ(chmod(file.c_str(), mode), 0);
    return who_else_reads(file).value();
  };
  EXPECT_THAT(readers(0604), ::testing::ElementsAre("everyone"));
  EXPECT_THAT(readers(0640), ::testing::ElementsAre(::testing::StartsWith("group ")));
  EXPECT_THAT(readers(0622), ::testing::ElementsAre());
}

class KeyFileOfAServer : public ::testing::Test {
 protected:
  void write(const char* name, const std::string& text, mode_t mode) {
    std::filesystem::remove(path(name));
    ASSERT_TRUE(write_private_file(path(name), text));
    ASSERT_EQ(chmod(path(name).c_str(), mode), 0);
  }
  std::filesystem::path path(const char* name) const { return folder_.path() / name; }

  // Counted, because the sampling thread may be writing its own lines to the log meanwhile.
  std::atomic<int> notices_ = 0;
  testing::TempFolder folder_;
  const Logger logger_ = std::make_shared<Log>(
      LogLines{.sink = std::make_shared<spdlog::sinks::callback_sink_mt>(
                   [this](const spdlog::details::log_msg& line) {
                     const std::string_view text(line.payload.data(), line.payload.size());
                     if (text.contains("can be read by everyone")) ++notices_;
                   })},
      nullptr);
  testing::Certificate certificate_ = testing::signed_by_itself({.dns_names = {"localhost"}});
};

TEST_F(KeyFileOfAServer, IsLookedAtWheneverItIsReplaced) {
  Config config = default_config();
  config.listen = {{.address = "127.0.0.1", .port = 0}};
  config.listen[0].web.tls = {.certificate = {.file = path("a.crt")},
                              .key = {.file = path("a.key")}};
  write("a.crt", certificate_.pem, 0644);
  write("a.key", certificate_.key, 0600);
  testing::RunningServer running(config, {.logger = logger_});
  EXPECT_EQ(notices_, 0);
  certificate_ = testing::signed_by_itself({.dns_names = {"localhost"}});
  write("a.crt", certificate_.pem, 0644);
  write("a.key", certificate_.key, 0644);
  EXPECT_TRUE(running.server().apply(config));
  EXPECT_EQ(notices_, 1);
  EXPECT_TRUE(running.server().apply(config));
  EXPECT_EQ(notices_, 1) << "nothing is new";
}

TEST_F(KeyFileOfAServer, IsTheConfigurationIfThatHasTheKey) {
  write("web.yml", "", 0644);
  const WebConfig web{.tls = {.certificate = {.text = "c"}, .key = {.text = "k"}}};
  EXPECT_THAT(protection_notices(web, path("web.yml")),
              ::testing::ElementsAre(::testing::HasSubstr(
                  "web.yml holds a private key, but can be read by everyone")));
  EXPECT_THAT(protection_notices(web, ""), ::testing::ElementsAre());
  EXPECT_THAT(protection_notices(web, path("none")),
              ::testing::ElementsAre(::testing::HasSubstr("cannot be determined: ")));
}

}  // namespace
}  // namespace winperf
