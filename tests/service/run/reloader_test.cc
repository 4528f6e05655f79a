#include "service/run/run.h"

#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <string>

#include "exporter/auth/password_hash.h"
#include "tests/exporter/support/certificates.h"
#include "tests/service/run/running_server.h"

namespace winperf {
namespace {

using ::testing::HasSubstr;

constexpr char kListen[] = "listen: {address: 127.0.0.1, port: 0}\n";

class ReloaderTest : public ::testing::Test {
 protected:
  // Every text has another length, because the time of two writes may be the same.
  void write(const std::string& text) { std::ofstream(file_) << kListen << text; }

  void start(const std::string& text) {
    write(text);
    WatchedFiles files(file_.string());
    std::vector<std::string> others;
    running_.emplace(load_config(file_.string(), files.reader(others)).value().config,
                     testing::RunningServerOptions{.run = {.setup = {}, .overrides = overrides_}});
    reloader_.emplace(std::move(files), gate_, running_->server(),
                      std::make_shared<Log>(LogLines{}, nullptr));
  }

  // More than a change needs to be taken for settled.
  void poll() {
    for (int i = 0; i < 4; ++i) reloader_->poll();
  }

  double reloads() { return running_->own("config_reloads_total"); }
  double failures() { return running_->own("config_reload_failures_total"); }
  std::string label() { return running_->server().config().countersets.at(0).label; }

  testing::TempFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "w.yaml";
  ReloadGate gate_;
  Overrides overrides_;
  std::optional<testing::RunningServer> running_;
  std::optional<Reloader> reloader_;
};

TEST_F(ReloaderTest, AFileThatHasNotChanged_IsNotRead) {
  start("countersets: [A]");
  poll();
  EXPECT_EQ(reloads(), 0);
}

TEST_F(ReloaderTest, AChangedFile_IsReadOnceWhenItHasSettled) {
  start("countersets: [A]");
  write("countersets: [Bb]");
  reloader_->poll();
  EXPECT_EQ(reloads(), 0);
  reloader_->poll();
  EXPECT_EQ(reloads(), 1);
  EXPECT_EQ(label(), "Bb");
  poll();
  EXPECT_EQ(reloads(), 1);
}

// Nothing else needs to be checked often.
TEST_F(ReloaderTest, PollsOftenOnlyWhileAFileIsChanging) {
  start("countersets: [A]");
  EXPECT_EQ(reloader_->poll(), Reloader::kCalmInterval);
  write("countersets: [Bb]");
  EXPECT_EQ(reloader_->poll(), Reloader::kBusyInterval);
  EXPECT_EQ(reloader_->poll(), Reloader::kCalmInterval);
  EXPECT_EQ(label(), "Bb");
}

TEST_F(ReloaderTest, WithoutOnChange_AChangedFileIsReadOnlyOnRequest) {
  start("reload: {on_change: false}\ncountersets: [A]");
  write("reload: {on_change: false}\ncountersets: [Bb]");
  poll();
  EXPECT_EQ(reloads(), 0);
  EXPECT_EQ(label(), "A");
  reloader_->reload();
  EXPECT_EQ(reloads(), 1);
  EXPECT_EQ(label(), "Bb");
}

TEST_F(ReloaderTest, AChangeThatARequestHasRead_IsNotReadAgain) {
  start("countersets: [A]");
  write("countersets: [Bb]");
  reloader_->reload();
  EXPECT_EQ(label(), "Bb");
  poll();
  EXPECT_EQ(reloads(), 1);
}

TEST_F(ReloaderTest, OnChange_IsThatOfTheConfigurationInUse) {
  start("reload: {on_change: false}\ncountersets: [A]");
  write("reload: {on_change: true}\ncountersets: [Bb]");
  poll();
  EXPECT_EQ(reloads(), 0);
  reloader_->reload();
  write("reload: {on_change: true}\ncountersets: [Ccc]");
  poll();
  EXPECT_EQ(reloads(), 2);
  EXPECT_EQ(label(), "Ccc");
}

TEST_F(ReloaderTest, AFileThatIsWrong_ChangesNothingAndIsCounted) {
  start("countersets: [A]");
  const double since = running_->own("config_last_reload_success_timestamp_seconds");
  write("countersets: 12345");
  poll();
  EXPECT_EQ(reloads(), 1);
  EXPECT_EQ(failures(), 1);
  EXPECT_EQ(running_->own("config_last_reload_successful"), 0);
  EXPECT_EQ(running_->own("config_last_reload_success_timestamp_seconds"), since);
  EXPECT_EQ(label(), "A");
}

TEST_F(ReloaderTest, WithoutAFile_EveryReloadFails) {
  start("countersets: [A]");
  reloader_.emplace(WatchedFiles(""), gate_, running_->server(),
                    std::make_shared<Log>(LogLines{}, nullptr));
  poll();
  EXPECT_EQ(reloads(), 0);
  reloader_->reload();
  EXPECT_EQ(failures(), 1);
  EXPECT_EQ(label(), "A");
}

TEST_F(ReloaderTest, ItListensWhereTheCommandLineSaysWhateverTheFileSays) {
  overrides_.listen = {"localhost:0"};
  start("countersets: [A]");
  const std::string url = running_->server().urls();
  EXPECT_THAT(url, ::testing::StartsWith("http://localhost:"));
  std::ofstream(file_) << "{listen: {address: 192.0.2.1, port: 1}, countersets: ['5']}";
  reloader_->reload();
  EXPECT_EQ(failures(), 0);
  EXPECT_EQ(label(), "5");
  EXPECT_EQ(running_->server().urls(), url);
}

TEST_F(ReloaderTest, ARequest_IsAnsweredWithTheOutcome) {
  start("countersets: [A]");
  const auto request = [&] { return answer_reload(gate_, [&] { reloader_->reload(); }); };
  write("countersets: [Bb]");
  EXPECT_EQ(request().status, 200);
  write("countersets: 12345");
  const PlainAnswer refused = request();
  EXPECT_EQ(refused.status, 500);
  EXPECT_THAT(refused.text, HasSubstr("not reloaded: "));
  EXPECT_THAT(refused.text, HasSubstr("w.yaml:2:14: "));
  gate_.close();
  EXPECT_EQ(answer_reload(gate_, [] {}).status, 503);
}

// What a deployment replaces doesn't arrive at once.
class ReloaderOfWebFiles : public ReloaderTest {
 protected:
  void write_file(const std::string& name, const std::string& text) {
    std::ofstream(folder_.path() / name, std::ios::binary) << text;
  }
  void write_listen(const std::string& keys) {
    std::ofstream(file_) << "countersets: [A]\nlisten: {address: 127.0.0.1, port: 0, " << keys
                         << "}";
  }
  void begin(const std::string& keys) {
    write_listen(keys);
    WatchedFiles files(file_.string());
    std::vector<std::string> others;
    running_.emplace(load_config(file_.string(), files.reader(others)).value().config,
                     testing::RunningServerOptions{.run = {.setup = {}, .overrides = overrides_}});
    reloader_.emplace(std::move(files), gate_, running_->server(),
                      std::make_shared<Log>(LogLines{}, nullptr));
  }
  bool has_tls() { return running_->server().urls().starts_with("https://"); }

  const testing::Certificate certificate_ = testing::signed_by_itself({.dns_names = {"localhost"}});
};

TEST_F(ReloaderOfWebFiles, AMissingFileThatArrivesLater_IsNoticed) {
  write_file("web.yml", "");
  begin("web_config_file: web.yml");
  write_file("web.yml", "tls_server_config: {cert_file: a.crt, key_file: a.key}");
  poll();
  EXPECT_EQ(failures(), 1);
  write_file("a.crt", certificate_.pem);
  poll();
  EXPECT_EQ(failures(), 2);
  EXPECT_FALSE(has_tls());
  write_file("a.key", certificate_.key);
  poll();
  EXPECT_EQ(failures(), 2);
  EXPECT_TRUE(has_tls());
  EXPECT_EQ(running_->own("config_last_reload_successful"), 1);
  poll();
  EXPECT_EQ(reloads(), 3);
}

TEST_F(ReloaderOfWebFiles, OfANewConfiguration_MayArriveAfterIt) {
  begin("serve: [metrics]");
  write_listen("web_config_file: new.yml");
  poll();
  EXPECT_EQ(failures(), 1);
  write_file("new.yml", "tls_server_config: {cert_file: a.crt, key_file: a.key}");
  poll();
  EXPECT_EQ(failures(), 2);
  write_file("a.crt", certificate_.pem);
  write_file("a.key", certificate_.key);
  poll();
  EXPECT_TRUE(has_tls());
  EXPECT_EQ(reloads(), 3);
}

TEST_F(ReloaderOfWebFiles, InUse_AreFollowedWhileANewConfigurationIsNoGood) {
  write_file("web.yml", "");
  begin("web_config_file: web.yml");
  write_listen("web_config_file: missing.yml");
  poll();
  EXPECT_EQ(failures(), 1);
  write_file("web.yml", "rate_limit: {interval: 1h}");
  poll();
  EXPECT_EQ(running_->server().config().listen[0].web.rate_limit.interval, std::chrono::hours(1));
  EXPECT_EQ(running_->own("config_last_reload_successful"), 0) << "the new one still isn't used";
}

// A full disk, or an editor that has just begun.
TEST_F(ReloaderOfWebFiles, ThatAreCutShort_OpenNoAddress) {
  constexpr char kTls[] = "tls_server_config: {cert_file: a.crt, key_file: a.key}\n";
  constexpr char kUsers[] =
      "basic_auth_users:\n  a: $2y$04$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW\n";
  if (!can_check_passwords()) GTEST_SKIP() << "NO BCRYPT: this build can't check passwords";
  write_file("a.crt", certificate_.pem);
  write_file("a.key", certificate_.key);
  write_file("web.yml", std::string(kTls) + kUsers);
  begin("web_config_file: web.yml");
  int failed = 0;
  for (const std::string& text : {std::string(), std::string(kTls), std::string(kUsers),
                                  std::string(kTls) + "basic_auth_users:\n"}) {
    write_file("web.yml", text);
    poll();
    EXPECT_EQ(failures(), ++failed) << text;
    EXPECT_TRUE(has_tls());
    EXPECT_EQ(running_->server().config().listen[0].web.users.size(), 1U);
  }
  for (const char* const text : {"", " \n", "# ours\n", "interval: 7s\n", "listen:\n"}) {
    std::ofstream(file_) << text;
    poll();
    EXPECT_EQ(failures(), ++failed);
    EXPECT_TRUE(has_tls());
  }
}

// They are watched since before they were read.
TEST_F(ReloaderOfWebFiles, ThatChangeBeforeTheServerStarts_AreNotLost) {
  write_file("web.yml", "");
  write_listen("web_config_file: web.yml");
  WatchedFiles files(file_.string());
  std::vector<std::string> others;
  const Config config = load_config(file_.string(), files.reader(others)).value().config;
  write_file("a.crt", certificate_.pem);
  write_file("a.key", certificate_.key);
  write_file("web.yml", "tls_server_config: {cert_file: a.crt, key_file: a.key}");
  Server server(open_sources({}, config).value(), {}, {},
                std::make_shared<Log>(LogLines{}, nullptr), [] { return PlainAnswer{}; });
  Reloader reloader(std::move(files), gate_, server, std::make_shared<Log>(LogLines{}, nullptr));
  ASSERT_TRUE(server.start());
  for (int i = 0; i < 4; ++i) reloader.poll();
  EXPECT_TRUE(server.urls().starts_with("https://"));
  write_file(
      "web.yml",
      "{rate_limit: {interval: 9s}, tls_server_config: {cert_file: a.crt, key_file: a.key}}");
  for (int i = 0; i < 4; ++i) reloader.poll();
  EXPECT_EQ(server.config().listen[0].web.rate_limit.interval, std::chrono::seconds(9));
  EXPECT_EQ(server.stop(std::chrono::steady_clock::now() + std::chrono::minutes(1)), "");
}

}  // namespace
}  // namespace winperf
