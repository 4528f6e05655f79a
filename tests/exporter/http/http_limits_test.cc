// Each limit of the server is seen to bind, by what a client sees on its connection.
//
// Where a limit is a time, a connection to a server whose time is an hour outlasts two others, one
// after the other, to a server whose time is over at once. No test depends on how long anything
// takes; if the limit were ignored, the first one would not outlast the others.
#include <gmock/gmock.h>

#include <chrono>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "exporter/http/http_server.h"
#include "tests/exporter/support/raw_connection.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::chrono::milliseconds kAtOnce{1};
constexpr std::chrono::hours kNever{1};
constexpr char kHealthy[] = "GET /-/healthy HTTP/1.1\r\nHost: x\r\n\r\n";
constexpr char kHealthyEnd[] = "is healthy.\n";
constexpr char kReload[] = "POST /-/reload HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n";
constexpr char kReloaded[] = "reloaded\n";
constexpr char kEnd[] = "]}\n";  // of the sample
constexpr char kOk[] = "HTTP/1.1 200 ";

// POST /-/reload is answered when it may be.
class Gate {
 public:
  Response pass() {
    std::unique_lock lock(mutex_);
    ++inside_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
    return plain_response(200, kReloaded);
  }
  void wait_for(int inside) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return inside_ == inside; });
  }
  void open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int inside_ = 0;
  bool open_ = false;
};

class HttpLimitsTest : public ::testing::Test {
 protected:
  static HttpServerOptions any_port() { return {"127.0.0.1", 0}; }

  std::unique_ptr<HttpServer> started(const HttpServerOptions& options) {
    auto server = std::make_unique<HttpServer>(router_, options);
    EXPECT_TRUE(server->start());
    return server;
  }

  // A sample whose JSON is too large for the buffers of a connection.
  void publish_much() {
    std::vector<InstanceSchema> many;
    for (std::uint32_t i = 0; i < 2'000; ++i) many.push_back(instance(std::string(9'000, 'x'), i));
    slot_.publish(
        sample(1, {state("Big", values(object("Big", {counter("A", kRawCount)}, true), many))}));
  }

  BuildInfo build_{"1", "abc", "gcc", "linux", "x86_64"};
  SampleSlot slot_;
  ExporterRegistry registry_{build_, kSampledAt};
  Gate gate_;
  Router router_{
      slot_, registry_, {build_, {}, [] { return kSampledAt; }, [this] { return gate_.pass(); }}};
};

TEST_F(HttpLimitsTest, ThreadsAndQueue_HoldSoManyConnectionsAndNoMore) {
  struct Row {
    std::size_t threads;
    std::size_t queue;
  };
  for (const Row& row : {Row{1, 1}, Row{2, 1}, Row{1, 3}}) {
    Gate gate;
    Router router(slot_, registry_,
                  {build_, {}, [] { return kSampledAt; }, [&] { return gate.pass(); }});
    HttpServerOptions options = any_port();
    options.threads = row.threads;
    options.queue = row.queue;
    HttpServer server(router, options);
    ASSERT_TRUE(server.start());
    std::vector<std::unique_ptr<RawConnection>> held;
    const auto connect = [&](const char* request) {
      held.push_back(std::make_unique<RawConnection>(server.port()));
      held.back()->send(request);
    };
    for (std::size_t i = 0; i < row.threads; ++i) {
      connect(kReload);
      gate.wait_for(static_cast<int>(i) + 1);
    }
    for (std::size_t i = 0; i < row.queue; ++i) connect(kReload);
    RawConnection refused(server.port());
    refused.send("GET /-/healthy HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    auto answer = std::async(std::launch::async, [&] { return refused.receive_all(); });
    const auto ended = answer.wait_for(std::chrono::seconds(20));
    gate.open();
    for (const auto& connection : held) {
      EXPECT_THAT(connection->receive_until(kReloaded), StartsWith(kOk));
      connection->finish_sending();  // makes room for the next one
    }
    EXPECT_THAT(answer.get(), Not(HasSubstr(kOk)));
    ASSERT_EQ(ended, std::future_status::ready);
  }
}

// A longer body ends the connection, because what follows it could be mistaken for a request.
TEST_F(HttpLimitsTest, ABody_IsAsLongAsTheLimitAndNoLonger) {
  gate_.open();
  HttpServerOptions options = any_port();
  options.payload_bytes = 10'000;
  const auto server = started(options);
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, options.payload_bytes}) {
    RawConnection connection(server->port());
    connection.send("POST /-/reload HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                    std::to_string(size) + "\r\n\r\n" + std::string(size, 'x'));
    EXPECT_THAT(connection.receive_until(kReloaded), StartsWith(kOk)) << size;
    connection.send(kHealthy);
    EXPECT_THAT(connection.receive_until(kHealthyEnd), StartsWith(kOk)) << size;
  }
  for (const std::size_t size : {options.payload_bytes + 1, 10 * options.payload_bytes}) {
    RawConnection connection(server->port());
    connection.send("POST /-/reload HTTP/1.1\r\nHost: x\r\nContent-Length: " +
                    std::to_string(size) + "\r\n\r\n" + std::string(size, 'x') + kHealthy);
    EXPECT_THAT(connection.receive_all(), Not(HasSubstr(kHealthyEnd))) << size;
  }
}

TEST_F(HttpLimitsTest, ARequestThatDoesNotGoOn_EndsAfterTheReadTimeout) {
  HttpServerOptions options = any_port();
  options.read_timeout = kNever;
  const auto patient = started(options);
  options.read_timeout = kAtOnce;
  const auto strict = started(options);
  const std::string begin = "GET /-/heal";
  RawConnection waits(patient->port());
  waits.send(begin);
  for (int i = 0; i < 2; ++i) {
    RawConnection ends(strict->port());
    ends.send(begin);
    EXPECT_THAT(ends.receive_all(), Not(HasSubstr(kOk)));
  }
  waits.send("thy HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(waits.receive_until(kHealthyEnd), StartsWith(kOk));
}

TEST_F(HttpLimitsTest, AnAnswerThatIsNotRead_EndsAfterTheWriteTimeout) {
  publish_much();
  HttpServerOptions options = any_port();
  options.write_timeout = kNever;
  const auto patient = started(options);
  const std::string request = "GET /api/v1/sample HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  RawConnection waits(patient->port());
  waits.send(request);
  const std::string begin = waits.receive_until("\r\n\r\n{");
  options.write_timeout = kAtOnce;
  for (int i = 0; i < 2; ++i) {
    const auto strict = started(options);
    RawConnection ends(strict->port());
    ends.send(request);
    EXPECT_THAT(ends.receive_until("\r\n\r\n{"), StartsWith(kOk));
    strict->drain(std::chrono::minutes(1));
    EXPECT_TRUE(strict->is_idle());
    EXPECT_THAT(ends.receive_all(), Not(HasSubstr(kEnd)));
  }
  EXPECT_THAT(begin + waits.receive_all(), HasSubstr(kEnd));
}

TEST_F(HttpLimitsTest, AConnection_HasSoManyRequestsAndNoMore) {
  for (const std::size_t requests : {1U, 2U, 5U}) {
    HttpServerOptions options = any_port();
    options.keep_alive_requests = requests;
    const auto server = started(options);
    RawConnection connection(server->port());
    for (std::size_t i = 1; i <= requests; ++i) {
      connection.send(kHealthy);
      const std::string answer = connection.receive_until(kHealthyEnd);
      EXPECT_THAT(answer, StartsWith(kOk)) << i << " of " << requests;
      EXPECT_EQ(answer.find("Connection: close") != std::string::npos, i == requests) << i;
    }
    EXPECT_EQ(connection.receive_all(), "") << requests;
  }
}

// The request waits until the only thread is free, so that it is there when its time begins.
class OneRequest {
 public:
  OneRequest(const SampleSlot& slot, ExporterRegistry& registry, HttpServerOptions options)
      : router_(slot, registry,
                {{}, {}, [] { return kSampledAt; }, [this] { return gate_.pass(); }}),
        server_(router_, one_thread(std::move(options))) {
    EXPECT_TRUE(server_.start());
    RawConnection first(server_.port());
    first.send(kReload);
    first.finish_sending();
    gate_.wait_for(1);
    connection_.emplace(server_.port());
    connection_->send(kHealthy);
    gate_.open();
    EXPECT_THAT(connection_->receive_until(kHealthyEnd), StartsWith(kOk));
  }

  RawConnection& connection() { return *connection_; }

 private:
  static HttpServerOptions one_thread(HttpServerOptions options) {
    options.threads = 1;
    return options;
  }

  Gate gate_;
  Router router_;
  HttpServer server_;
  std::optional<RawConnection> connection_;
};

TEST_F(HttpLimitsTest, AConnectionWithoutAnotherRequest_EndsAfterTheKeepAliveTimeout) {
  HttpServerOptions options = any_port();
  options.keep_alive_timeout = kNever;
  OneRequest waits(slot_, registry_, options);
  options.keep_alive_timeout = std::chrono::seconds(0);
  for (int i = 0; i < 2; ++i) {
    OneRequest ends(slot_, registry_, options);
    EXPECT_EQ(ends.connection().receive_all(), "");
  }
  waits.connection().send(kHealthy);
  EXPECT_THAT(waits.connection().receive_until(kHealthyEnd), StartsWith(kOk));
}

// The server may wait for an hour for a client that does not read. This one reads on when the
// server is being stopped, which another connection shows, because it ends.
TEST_F(HttpLimitsTest, Stopped_DoesNotFinishALongAnswer) {
  publish_much();
  HttpServerOptions options = any_port();
  options.write_timeout = kNever;
  options.keep_alive_timeout = kNever;
  const auto server = started(options);
  RawConnection reader(server->port());
  reader.send("GET /api/v1/sample HTTP/1.1\r\nHost: x\r\n\r\n");
  reader.receive_until("\r\n\r\n{");
  RawConnection idle(server->port());
  idle.send(kHealthy);
  EXPECT_THAT(idle.receive_until(kHealthyEnd), StartsWith(kOk));
  auto stopped = std::async(std::launch::async, [&] { server->stop(); });
  EXPECT_EQ(idle.receive_all(), "");
  EXPECT_THAT(reader.receive_all(), Not(HasSubstr(kEnd)));
  stopped.get();
}

}  // namespace
}  // namespace winperf
