// A port that is in use although no program listens on it: a bound socket has the effect that
// connections of a program that has ended have on Windows.
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <cstdint>
#include <expected>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "collectors/diagnosis/port_owner.h"
#include "exporter/http/http_server.h"
#include "exporter/http/socket.h"
#include "service/run/listeners.h"
#include "service/run/run.h"
#include "service/run/service_host.h"
#include "tests/exporter/support/sample_builder.h"
#include "tests/service/run/temp_folder.h"

namespace winperf {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class HeldPort : public ::testing::Test {
 protected:
  HeldPort() {
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof where;
    auto* const generic = reinterpret_cast<sockaddr*>(&where);
    const int socket = static_cast<int>(holder_.native());
    EXPECT_EQ(bind(socket, generic, size), 0);
    EXPECT_EQ(getsockname(socket, generic, &size), 0);
    port_ = ntohs(where.sin_port);
    address_ = "127.0.0.1:" + std::to_string(port_);
  }

  std::expected<void, std::string> open(const std::function<bool(const std::string&)>& pause) {
    return listeners_.open_first(
        {ListenConfig{.address = "127.0.0.1", .port = static_cast<std::uint16_t>(port_)}}, 10,
        pause);
  }
  void release() { holder_ = Socket(); }

  BuildInfo build_{"1", "abc", "gcc", "linux", "x86_64"};
  SampleSlot slot_;
  ExporterRegistry registry_{build_, testing::kSampledAt};
  Router router_{slot_, registry_, {build_, {}, [] { return testing::kTaken; }}};
  Listeners listeners_{router_};
  Socket holder_{static_cast<NativeSocket>(socket(AF_INET, SOCK_STREAM, 0))};
  int port_ = 0;
  std::string address_;
};

TEST_F(HeldPort, IsListenedOnByNoProgram) {
  const NetAddress loop = to_net_address(std::vector<std::uint8_t>{127, 0, 0, 1});
  EXPECT_FALSE(is_listened_on(loop, port_));
  const auto refused = try_listening("127.0.0.1", port_);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), HasSubstr("already in use"));
  release();
  const auto sockets = try_listening("127.0.0.1", port_);
  ASSERT_TRUE(sockets);
  EXPECT_TRUE(is_listened_on(loop, port_));
  EXPECT_FALSE(is_listened_on(to_net_address(std::vector<std::uint8_t>{127, 0, 0, 2}), port_));
}

TEST_F(HeldPort, IsWaitedForAtTheStart) {
  std::vector<std::string> pauses;
  const auto opened = open([&](const std::string& address) {
    pauses.push_back(address);
    if (pauses.size() == 3) release();
    return true;
  });
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_THAT(pauses, SizeIs(3));
  EXPECT_THAT(pauses, Each(address_));
  EXPECT_EQ(listeners_.urls(), "http://" + address_ + '/');
}

TEST_F(HeldPort, IsAnErrorOnceThereIsNoTimeLeft) {
  int pauses = 0;
  const auto opened = open([&](const std::string&) { return ++pauses < 5; });
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error(),
            "cannot listen on " + address_ + ": the address is already in use by another program");
  EXPECT_EQ(pauses, 5);
}

TEST_F(HeldPort, OfAProgramThatListensIsNotWaitedFor) {
  release();
  const auto other = try_listening("127.0.0.1", port_);
  ASSERT_TRUE(other);
  std::vector<std::string> pauses;
  const auto opened = open([&](const std::string& address) {
    pauses.push_back(address);
    return true;
  });
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error(), HasSubstr("already in use by"));
  EXPECT_THAT(pauses, IsEmpty());
}

TEST_F(HeldPort, IsNotWaitedForByAReload) {
  ASSERT_TRUE(listeners_.open_first({ListenConfig{.address = "127.0.0.1", .port = 0}}, 10,
                                    [](const std::string&) { return false; }));
  const auto changed = listeners_.change(
      {ListenConfig{.address = "127.0.0.1", .port = static_cast<std::uint16_t>(port_)}}, 10);
  ASSERT_FALSE(changed) << "and the call has returned";
  EXPECT_THAT(listeners_.urls(), HasSubstr("http://127.0.0.1:"));
}

// Only what happens before the program runs.
class StartingHost final : public ServiceHost {
 public:
  std::function<bool()> on_pause = [] { return true; };
  int pauses = 0;
  int still_starting_reports = 0;
  std::chrono::milliseconds paused{};
  std::string url, failure;

  const std::string& service_name() const override { return no_name_; }
  int cannot_start(const Failure& why) override {
    failure = why.message;
    return why.exit_code;
  }
  void still_starting() override { ++still_starting_reports; }
  void still_stopping() override {}
  bool pause_start(std::chrono::milliseconds time) override {
    ++pauses;
    paused += time;
    return on_pause();
  }
  void running(const std::string& where) override { url = where; }
  void wait(const HostedWork&) override {}
  void request_reload() override {}
  void request_maintenance() override {}
  [[noreturn]] void abandon(bool) override { throw std::logic_error("abandoned"); }
  [[noreturn]] void leave(int) override { throw std::logic_error("left"); }

 private:
  const std::string no_name_;
};

class HeldPortOfRun : public HeldPort {
 protected:
  int run() {
    const std::string file = (folder_.path() / "w.yaml").string();
    std::ofstream(file) << "listen: {address: 127.0.0.1, port: " << port_
                        << "}\nlog: {file: w.log}\ncountersets: ['4']\n";
    return run_server(host_, {.setup = {.config_file = file, .source = SourceChoice()}});
  }
  testing::TempFolder folder_;
  StartingHost host_;
};

TEST_F(HeldPortOfRun, IsGivenBackAfterAWhile) {
  host_.on_pause = [this] {
    if (host_.pauses == 4) release();
    return true;
  };
  EXPECT_EQ(run(), 0);
  EXPECT_EQ(host_.url, "http://" + address_ + '/');
  EXPECT_EQ(host_.pauses, 4);
  EXPECT_GE(host_.still_starting_reports, 4) << "Windows ends a service that seems to hang";
  EXPECT_THAT(folder_.read("w.log"),
              HasSubstr("no program listens on " + address_ +
                        ", but connections of one that has ended hold it; retrying for 20 s"));
}

TEST_F(HeldPortOfRun, IsNotWaitedForAsLongAsTheCommandThatStartsTheService) {
  EXPECT_EQ(run(), 1);
  EXPECT_THAT(host_.failure, HasSubstr("already in use"));
  EXPECT_GT(host_.paused, std::chrono::seconds(15));
  EXPECT_LE(host_.paused, std::chrono::seconds(20));
}

TEST_F(HeldPortOfRun, IsNotWaitedForAfterAStop) {
  host_.on_pause = [] { return false; };
  EXPECT_EQ(run(), 1);
  EXPECT_EQ(host_.pauses, 1);
}

}  // namespace
}  // namespace winperf
