#include "exporter/http/http_server.h"

#include <gmock/gmock.h>
#include <httplib.h>

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/raw_connection.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::HasSubstr;

class HttpServerTest : public ::testing::Test {
 protected:
  void SetUp() override { slot_.publish(typical_sample(1)); }

  static HttpServerOptions any_port() { return {"127.0.0.1", 0}; }

  httplib::Client client() const {
    httplib::Client client("127.0.0.1", server_.port());
    client.set_connection_timeout(10);
    client.set_read_timeout(10);
    return client;
  }

  // A connection over which the test sends bytes of its own, as httplib's client does not.
  httplib::Result raw(const std::string& method, const std::string& path, const std::string& body) {
    auto connection = client();
    httplib::Request request;
    request.method = method;
    request.path = path;
    request.body = body;
    return connection.send(request);
  }

  BuildInfo build_{"1", "abc", "gcc", "linux", "x86_64"};
  SampleSlot slot_;
  ExporterRegistry registry_{build_, kSampledAt};
  Router router_{slot_, registry_, {build_, {}, [] { return kTaken; }}};
  HttpServer server_{router_, any_port()};
};

TEST_F(HttpServerTest, OnAnyFreePort_Serves) {
  ASSERT_TRUE(server_.start());
  EXPECT_GT(server_.port(), 0);
  EXPECT_EQ(server_.url(), "http://127.0.0.1:" + std::to_string(server_.port()) + "/");
  const auto answer = client().Get("/metrics");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->get_header_value("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(answer->body, HasSubstr("winperf_memory_page_faults_total 12\n"));
}

TEST_F(HttpServerTest, Unstarted_IsIdle) { EXPECT_TRUE(server_.is_idle()); }

// A rate of what has never been there before can't be computed.
TEST_F(HttpServerTest, EveryReasonToShed_IsCountedFromTheBeginning) {
  ASSERT_TRUE(server_.start());
  const auto page = client().Get("/metrics");
  ASSERT_TRUE(page);
  for (const std::string_view reason : kShedReasonNames)
    EXPECT_THAT(page->body, HasSubstr("winperf_exporter_http_shed_total{reason=\"" +
                                      std::string(reason) + "\"} 0\n"));
}

TEST_F(HttpServerTest, WhatIsSent_IsCountedAsItGoesOut) {
  ASSERT_TRUE(server_.start());
  auto connection = client();
  connection.set_decompress(false);
  const auto page = connection.Get("/metrics", httplib::Headers{{"Accept-Encoding", "gzip"}});
  const auto part = connection.Get("/metrics?name[]=winperf_exporter_build_info");
  ASSERT_TRUE(page && part);
  ASSERT_TRUE(connection.Head("/metrics"));
  ASSERT_TRUE(connection.Get("/version"));
  ASSERT_TRUE(connection.Get("/metrics?collect[]=nothing"));
  server_.stop();  // after its last round
  const SentAnswers sent = registry_.numbers().sent;
  EXPECT_EQ(sent.scrapes, 2U);
  EXPECT_EQ(sent.scrape_bytes, page->body.size() + part->body.size());
  EXPECT_GT(sent.scrape_time.count(), 0);
  EXPECT_GT(sent.bytes, sent.scrape_bytes + 5 * std::string_view("HTTP/1.1 200 OK").size());
}

TEST_F(HttpServerTest, WithGzip_SendsWhatTheRouterMade) {
  ASSERT_TRUE(server_.start());
  auto connection = client();
  connection.set_decompress(false);
  const auto answer = connection.Get("/metrics", httplib::Headers{{"Accept-Encoding", "gzip"}});
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->get_header_value("Content-Encoding"), "gzip");
  EXPECT_THAT(gunzipped(answer->body), HasSubstr("winperf_memory_page_faults_total 12\n"));
}

TEST_F(HttpServerTest, Head_HasTheLengthAndNoBody) {
  ASSERT_TRUE(server_.start());
  const auto head = client().Head("/version");
  const auto full = client().Get("/version");
  ASSERT_TRUE(head && full);
  EXPECT_EQ(head->status, 200);
  EXPECT_TRUE(head->body.empty());
  EXPECT_EQ(head->get_header_value("Content-Length"), std::to_string(full->body.size()));
}

TEST_F(HttpServerTest, Queries_AreDecoded) {
  ASSERT_TRUE(server_.start());
  const auto answer = client().Get("/api/v1/sample?counterset=Memor%79&counterset=Processor");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(client().Get("/api/v1/sample?counterset=a%26b")->body,
            "{\"type\":\"about:blank\",\"title\":\"Bad Request\",\"status\":400,"
            "\"detail\":\"counterset 'a&b' is not sampled\",\"parameter\":\"counterset\"}\n");
}

TEST_F(HttpServerTest, OtherMethods_AreRefused) {
  ASSERT_TRUE(server_.start());
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"}) {
    const auto answer = raw(method, "/metrics", "");
    ASSERT_TRUE(answer) << method;
    EXPECT_EQ(answer->status, 405) << method;
    EXPECT_EQ(answer->get_header_value("Allow"), "GET, HEAD") << method;
  }
}

TEST_F(HttpServerTest, ConcurrentScrapes_ShareOneRendering) {
  ASSERT_TRUE(server_.start());
  constexpr int kScrapers = 6;
  std::promise<void> go;
  const std::shared_future<void> together = go.get_future().share();
  std::vector<std::jthread> scrapers;
  std::atomic<int> good = 0;
  for (int i = 0; i < kScrapers; ++i) {
    scrapers.emplace_back([&] {
      auto connection = client();
      together.wait();
      const auto answer = connection.Get("/metrics");
      if (answer && answer->status == 200) ++good;
    });
  }
  go.set_value();
  scrapers.clear();
  EXPECT_EQ(good, kScrapers);
  EXPECT_THAT(client().Get("/metrics")->body, HasSubstr("winperf_exporter_renderings_total 1\n"));
}

TEST_F(HttpServerTest, WhileSamplesArePublished_ServesWholePages) {
  ASSERT_TRUE(server_.start());
  std::atomic<bool> asking = true;
  const std::jthread publisher([&] {
    for (std::uint64_t sequence = 2; asking; ++sequence) slot_.publish(typical_sample(sequence));
  });
  constexpr int kRequests = 20;
  auto connection = client();
  int good = 0;
  for (int i = 0; i < kRequests; ++i) {
    const auto answer = connection.Get(i % 2 == 0 ? "/metrics" : "/api/v1/sample");
    good += answer && answer->status == 200;
  }
  asking = false;
  EXPECT_EQ(good, kRequests);
}

TEST_F(HttpServerTest, AfterTooLargeARequest_StillServes) {
  ASSERT_TRUE(server_.start());
  const auto large = raw("POST", "/metrics", std::string(1 << 20, 'x'));
  if (large) {
    EXPECT_GE(large->status, 400);
  }
  const auto long_path = client().Get("/" + std::string(100'000, 'x'));
  if (long_path) {
    EXPECT_GE(long_path->status, 400);
  }
  const auto answer = client().Get("/-/healthy");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
}

TEST_F(HttpServerTest, AfterGarbage_StillServes) {
  ASSERT_TRUE(server_.start());
  const std::string garbage[] = {
      std::string("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11),  // a TLS hello
      std::string(64, '\0'),
      "\r\n\r\n\r\n",
      "GET /metrics\r\n\r\n",
      "GET /metrics HTTP/9.9\r\nHost: x\r\n\r\n",
      "BREW /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551615\r\n\r\nx",
      "GET / HTTP/1.1\r\n" + std::string(200'000, 'h'),
      "GET /%zz%00%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
  };
  for (const std::string& bytes : garbage) {
    RawConnection connection(server_.port());
    connection.send(bytes);
    connection.finish_sending();
    const std::string answer = connection.receive_all();
    EXPECT_EQ(answer.find("200 OK"), std::string::npos) << bytes.substr(0, 60) << answer;
  }
  const auto answer = client().Get("/-/healthy");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
}

// Each connection is held open until after stop(): were stop() to wait for it, the test would not
// end.
TEST_F(HttpServerTest, WhileConnectionsAreHeldOpen_Stops) {
  ASSERT_TRUE(server_.start());
  RawConnection silent(server_.port());
  RawConnection half(server_.port());
  half.send("GET /metrics HTTP/1.1\r\nHost: ");
  RawConnection half_body(server_.port());
  half_body.send("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nab");
  auto idle = client();
  idle.set_keep_alive(true);
  ASSERT_TRUE(idle.Get("/-/healthy"));
  server_.stop();
  EXPECT_FALSE(client().Get("/-/healthy"));
}

TEST_F(HttpServerTest, WhileAnAnswerIsNotRead_Stops) {
  std::vector<InstanceSchema> many;
  for (std::uint32_t i = 0; i < 60'000; ++i) many.push_back(instance(std::to_string(i), i));
  const auto big = values(
      object("Big", {counter("Some Long Name", kRawCount), counter("Another Long Name", kRawCount)},
             true),
      many);
  slot_.publish(sample(2, {state("Big", big)}));
  ASSERT_TRUE(server_.start());
  RawConnection deaf(server_.port());
  deaf.send("GET /api/v1/sample HTTP/1.1\r\nHost: x\r\n\r\n");
  // Answered on another thread meanwhile: the request above is being worked on or will be.
  ASSERT_TRUE(client().Get("/-/healthy"));
  server_.stop();
}

// Were close() to wait for the connection over which it is asked for, the test would not end.
TEST_F(HttpServerTest, Closed_WaitsForAllConnectionsButThoseOfPosts) {
  constexpr std::chrono::hours kTimeout{1};
  std::optional<Router> router;  // longer than the server, whose threads may still be asking it
  std::unique_ptr<HttpServer> server;
  const auto close = [&] {
    server->close(kTimeout);
    return PlainAnswer{200, "closed\n"};
  };
  router.emplace(
      slot_, registry_,
      RouterOptions{.build = build_, .mapping = {}, .now = [] { return kTaken; }, .reload = close});
  server = std::make_unique<HttpServer>(*router, any_port());
  ASSERT_TRUE(server->start());
  httplib::Client idle("127.0.0.1", server->port());
  idle.set_keep_alive(true);
  ASSERT_TRUE(idle.Get("/-/healthy"));
  while (!server->is_idle()) std::this_thread::yield();  // the answer may be there sooner
  const auto answer = httplib::Client("127.0.0.1", server->port()).Post("/-/reload");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->body, "closed\n");
  HttpServerOptions same = any_port();
  same.port = server->port();
  HttpServer next(router_, same);
  EXPECT_TRUE(next.start());
}

TEST_F(HttpServerTest, ReloadAskedForByAPageInABrowser_IsRefused) {
  int reloads = 0;
  const auto reload = [&] {
    ++reloads;
    return PlainAnswer{200, "reloaded\n"};
  };
  Router router(slot_, registry_,
                {.build = build_, .mapping = {}, .now = [] { return kTaken; }, .reload = reload});
  HttpServer server(router, any_port());
  ASSERT_TRUE(server.start());
  httplib::Client connection("127.0.0.1", server.port());
  for (const char* origin : {"https://example.com", "null", ""}) {
    const auto answer = connection.Post("/-/reload", httplib::Headers{{"Origin", origin}});
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 403) << origin;
  }
  EXPECT_EQ(reloads, 0);
  ASSERT_TRUE(connection.Post("/-/reload"));
  EXPECT_EQ(reloads, 1);
}

TEST_F(HttpServerTest, StoppedTwiceOrNeverStarted_IsFine) {
  HttpServer idle(router_, any_port());
  idle.stop();
  ASSERT_TRUE(server_.start());
  server_.stop();
  server_.stop();
}

TEST_F(HttpServerTest, WhenTheRouterThrows_Answers500WithoutDetails) {
  Router throwing(slot_, registry_,
                  {build_, {}, []() -> SteadyTime { throw std::runtime_error("secret path"); }});
  HttpServer server(throwing, any_port());
  ASSERT_TRUE(server.start());
  const auto answer = httplib::Client("127.0.0.1", server.port()).Get("/metrics");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 500);
  EXPECT_EQ(answer->body, "internal error\n");
  for (const auto& [name, value] : answer->headers) {
    EXPECT_EQ(value.find("secret"), std::string::npos) << name;
  }
}

TEST_F(HttpServerTest, OnAPortThatIsTaken_SaysSo) {
  ASSERT_TRUE(server_.start());
  HttpServerOptions same = any_port();
  same.port = server_.port();
  HttpServer second(router_, same);
  const auto started = second.start();
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error(),
              HasSubstr("cannot listen on 127.0.0.1:" + std::to_string(same.port) + ": "));
  EXPECT_THAT(started.error(), ::testing::AnyOf(HasSubstr("in use"), HasSubstr("permission")));
}

TEST_F(HttpServerTest, OnAnAddressThatIsNotOurs_SaysSo) {
  HttpServerOptions elsewhere = any_port();
  elsewhere.address = "192.0.2.1";  // documentation only: RFC 5737
  elsewhere.port = 10182;
  HttpServer other(router_, elsewhere);
  const auto started = other.start();
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error(), HasSubstr("does not have the address"));
}

TEST_F(HttpServerTest, OnIpv6_Serves) {
  HttpServerOptions ipv6 = any_port();
  ipv6.address = "::1";
  HttpServer other(router_, ipv6);
  if (const auto started = other.start(); !started) {
    GTEST_SKIP() << "no IPv6 loopback here: " << started.error();
  }
  httplib::Client connection("::1", other.port());
  const auto answer = connection.Get("/-/healthy");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(other.url(), "http://[::1]:" + std::to_string(other.port()) + "/");
}

}  // namespace
}  // namespace winperf
