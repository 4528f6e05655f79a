#include "service/run/reloader.h"

#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <string>

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
    FileWatch watch(file_);
    running_.emplace(load_config(file_.string()).value());
    reloader_.emplace(file_.string(), std::move(watch), gate_, running_->server(),
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
  reloader_.emplace("", FileWatch({}), gate_, running_->server(),
                    std::make_shared<Log>(LogLines{}, nullptr));
  poll();
  EXPECT_EQ(reloads(), 0);
  reloader_->reload();
  EXPECT_EQ(failures(), 1);
  EXPECT_EQ(label(), "A");
}

TEST_F(ReloaderTest, ARequest_IsAnsweredWithTheOutcome) {
  start("countersets: [A]");
  const auto request = [&] { return answer_reload(gate_, [&] { reloader_->reload(); }); };
  write("countersets: [Bb]");
  EXPECT_EQ(request().status, 200);
  write("countersets: 12345");
  const Response refused = request();
  EXPECT_EQ(refused.status, 500);
  EXPECT_THAT(refused.body.str(), HasSubstr("not reloaded: "));
  EXPECT_THAT(refused.body.str(), HasSubstr("w.yaml:2:14: "));
  gate_.close();
  EXPECT_EQ(answer_reload(gate_, [] {}).status, 503);
}

}  // namespace
}  // namespace winperf
