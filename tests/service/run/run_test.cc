#include "service/run/run.h"

#include <gmock/gmock.h>

#include <atomic>
#include <fstream>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/exporter/support/raw_connection.h"
#include "tests/service/run/fake_platform.h"
#include "tests/service/run/running_server.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// Instead of the end of the process.
struct Abandoned {};

// Notes what the program tells its host. What happens while it runs is the test's.
class NotingHost final : public ServiceHost {
 public:
  std::function<void(const HostedWork&)> work = [](const HostedWork&) {};
  std::function<void()> on_reload_request = [] {};
  std::function<void()> on_abandon = [] {};
  std::function<bool()> on_pause = [] { return true; };
  std::vector<std::string> told;
  std::atomic<int> maintenance_requests = 0;  // discovery's thread makes them
  std::string url;
  Failure failure;

  const std::string& service_name() const override { return no_name_; }
  int cannot_start(const Failure& why) override {
    told.emplace_back("cannot start");
    failure = why;
    return why.exit_code;
  }
  void still_starting() override { told.emplace_back("still starting"); }
  void still_stopping() override { told.emplace_back("still stopping"); }
  bool pause_start(std::chrono::milliseconds) override {
    told.emplace_back("pause");
    return on_pause();
  }
  void running(const std::string& where) override {
    told.emplace_back("running");
    url = where;
  }
  void wait(const HostedWork& hosted) override {
    told.emplace_back("wait");
    work(hosted);
  }
  void request_reload() override { on_reload_request(); }
  void request_maintenance() override { ++maintenance_requests; }
  [[noreturn]] void abandon(bool failed) override {
    told.emplace_back(failed ? "abandon as failed" : "abandon");
    on_abandon();
    throw Abandoned();
  }

  [[noreturn]] void leave(int exit_code) override {
    told.push_back("leave with " + std::to_string(exit_code));
    throw Abandoned();
  }

  int port() const { return std::stoi(url.substr(url.rfind(':') + 1)); }

 private:
  const std::string no_name_;
};

constexpr char kConfig[] =
    "listen: {address: 127.0.0.1, port: 0}\n"
    "log: {file: w.log}\n"
    "reload: {http: true}\n"
    "countersets: ['4', '5']\n";

class Run : public ::testing::Test {
 protected:
  int run(const std::string& config, const std::string& listen = "",
          const SourceChoice& source = {}) {
    std::ofstream(folder_.path() / "w.yaml") << config;
    return run_server(
        host_, {.setup = {.config_file = (folder_.path() / "w.yaml").string(), .source = source},
                .overrides = {.listen = listen.empty() ? std::vector<std::string>()
                                                       : std::vector{listen}}});
  }

  std::string read(const std::string& name) const { return folder_.read(name); }
  std::string logged() const { return read("w.log"); }

  std::string answer(const std::string& request) const {
    testing::RawConnection connection(host_.port());
    connection.send(request +
                    " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n"
                    "Connection: close\r\n\r\n");
    return connection.receive_all();
  }

  testing::TempFolder folder_;
  NotingHost host_;
};

TEST_F(Run, ServesFromItsStartToItsStopAndLogsBoth) {
  std::string answered;
  bool goes_on = false;
  host_.work = [&](const HostedWork& work) {
    goes_on = work.poll().has_value();
    answered = answer("GET /metrics");
    EXPECT_THAT(logged(), Not(HasSubstr("stopping")));
  };
  EXPECT_EQ(run(kConfig), kExitOk);
  EXPECT_THAT(host_.told, ElementsAre("still starting", "running", "wait", "still stopping"));
  EXPECT_THAT(host_.url, StartsWith("http://127.0.0.1:"));
  EXPECT_TRUE(goes_on);
  EXPECT_THAT(answered, StartsWith("HTTP/1.1 200"));
  const std::string log = logged();
  const auto started = log.find(" samples 2 countersets and listens on " + host_.url);
  const auto stopping = log.find("stopping");
  const auto stopped = log.find("stopped");
  ASSERT_NE(stopped, std::string::npos) << log;
  EXPECT_LT(started, stopping) << log;
  EXPECT_LT(stopping, stopped) << log;
}

TEST_F(Run, LeavesAProviderBehindThatDoesNotAnswer) {
  std::optional<testing::HangingRegistries> hanging(std::in_place);
  const std::size_t registry = testing::opened_registries() + 1;
  host_.work = [&](const HostedWork& work) {
    EXPECT_TRUE(testing::is_asked(registry, "4"));
    EXPECT_TRUE(work.poll()) << "it can still answer";
  };
  host_.on_abandon = [&] { hanging.reset(); };
  EXPECT_THROW(run(kConfig), Abandoned);
  EXPECT_THAT(host_.told, ElementsAre("still starting", "running", "wait", "abandon"));
  EXPECT_THAT(logged(), HasSubstr("the sampling of counters did not end within 1500 ms"));
}

TEST_F(Run, LogsWhatItsSourcesLack) {
  EXPECT_EQ(run(kConfig), kExitOk);
  EXPECT_THAT(logged(), HasSubstr("there is no PerfLib here"));
  std::ofstream(folder_.path() / "sample-0001.perf") << "one";
  std::filesystem::remove(folder_.path() / "w.log");
  const SourceChoice replay{.replay = folder_.path()};
  EXPECT_EQ(run(kConfig, "", replay), kExitOk);
  EXPECT_THAT(logged(), Not(HasSubstr("there is no PerfLib here")));
  EXPECT_THAT(logged(), HasSubstr("lacks sample 0"));
}

TEST_F(Run, ReloadsWhenItsHostIsAskedTo) {
  std::string answered;
  host_.work = [&](const HostedWork& work) {
    std::promise<void> requested;
    host_.on_reload_request = [&] { requested.set_value(); };
    std::jthread asking([&] { answered = answer("POST /-/reload"); });
    requested.get_future().wait();
    work.reload();
  };
  EXPECT_EQ(run(kConfig), kExitOk);
  EXPECT_THAT(answered, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(logged(), HasSubstr("w.yaml: 2 countersets, listening on " + host_.url));
}

TEST_F(Run, AFileThatChangesWhileItRunsIsRead) {
  host_.work = [&](const HostedWork& work) {
    std::ofstream(folder_.path() / "w.yaml") << kConfig << "interval: 7s\n";
    for (int i = 0; i < 2; ++i) EXPECT_TRUE(work.poll());
  };
  EXPECT_EQ(run(kConfig), kExitOk);
  EXPECT_THAT(logged(), HasSubstr("w.yaml: 2 countersets, listening on "));
}

TEST_F(Run, AnotherLogIsWrittenFromTheReloadOn) {
  std::filesystem::create_directory(folder_.path() / "folder");
  const auto reload_with = [&](const HostedWork& work, const std::string& log) {
    std::string config = kConfig;
    config.replace(config.find("w.log"), std::string("w.log").size(), log);
    std::ofstream(folder_.path() / "w.yaml") << config;
    work.reload();
  };
  host_.work = [&](const HostedWork& work) {
    reload_with(work, "folder");
    EXPECT_THAT(logged(), HasSubstr("cannot be opened: this is a folder"));
    reload_with(work, "other.log");
  };
  EXPECT_EQ(run(kConfig), kExitOk);
  EXPECT_THAT(logged(), Not(HasSubstr("stopped")));
  EXPECT_THAT(read("other.log"), HasSubstr("w.yaml: 2 countersets, listening on "));
  EXPECT_THAT(read("other.log"), HasSubstr("stopped"));
}

TEST_F(Run, TheAddressOfTheCommandLineIsListenedOn) {
  EXPECT_EQ(run("{listen: {address: 127.0.0.1, port: 1}, log: {file: w.log}}", "localhost:0"),
            kExitOk);
  EXPECT_THAT(host_.url, StartsWith("http://localhost:"));
}

TEST_F(Run, WhatIsWrongKeepsItFromStarting) {
  EXPECT_EQ(run("intervall: 5s"), kExitUsage);
  EXPECT_TRUE(host_.failure.names_its_file);
  EXPECT_THAT(host_.failure.message, HasSubstr("w.yaml:1:1: unknown key \"intervall\""));

  EXPECT_EQ(run(kConfig, "localhost"), kExitUsage);
  EXPECT_FALSE(host_.failure.names_its_file);
  EXPECT_THAT(host_.failure.message, HasSubstr("\"localhost\""));

  EXPECT_EQ(run("log: {file: w.yaml}"), kExitUsage);
  EXPECT_TRUE(host_.failure.names_its_file);
  EXPECT_THAT(host_.failure.message, HasSubstr("w.yaml"));
  EXPECT_THAT(host_.told, Not(::testing::Contains("running")));
}

TEST_F(Run, APortThatIsTakenKeepsItFromStarting) {
  testing::RunningServer other(parse_config(kConfig, "test").value());
  const std::string url = other.server().urls();
  const std::string port = std::to_string(std::stoi(url.substr(url.rfind(':') + 1)));
  EXPECT_EQ(run(kConfig, "127.0.0.1:" + port), kExitFailure);
  EXPECT_THAT(host_.told, ElementsAre("still starting", "cannot start"));
  EXPECT_THAT(host_.failure.message, HasSubstr("cannot listen on "));
}

TEST_F(Run, DoesNotWaitForAPortThatAProgramListensOn) {
  const auto other = try_listening("127.0.0.1", 0);
  ASSERT_TRUE(other);
  const std::string port = std::to_string(local_port(other->front()));
  EXPECT_EQ(run("listen: {address: 127.0.0.1, port: " + port + "}\ncountersets: ['4']\n"), 1);
  EXPECT_THAT(host_.failure.message, HasSubstr("already in use by"));
  EXPECT_THAT(host_.told, Not(::testing::Contains("pause"))) << "this program listens on it";
}

}  // namespace
}  // namespace winperf
