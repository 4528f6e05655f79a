// The routes about the program itself.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "exporter/http/router.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/http_exchange.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using Json = nlohmann::json;

constexpr std::int64_t kServiceNow = 12'000'000'000;  // in 1981

class ServiceRoutes : public ::testing::Test {
 protected:
  testing::HttpResponse get(const std::string& path, const std::string& fields = "") {
    return testing::parts_of(
        answers_.answer(testing::request_of("GET " + path, "Host: localhost\r\n" + fields), false));
  }
  Json json_of(const std::string& path) {
    const testing::HttpResponse response = get(path);
    EXPECT_EQ(response.status, 200) << response.body.str();
    return Json::parse(response.body.str());
  }
  Json error_of(const std::string& path) {
    const testing::HttpResponse response = get(path);
    EXPECT_EQ(response.status, 400);
    return Json::parse(response.body.str());
  }
  static std::vector<std::string> texts_of(const Json& list) {
    std::vector<std::string> texts;
    for (const Json& one : list) texts.push_back(one.at("text"));
    return texts;
  }
  void add(std::int64_t seconds_ago, const char* event, const char* subject, std::string text) {
    messages_.push_back({.time = testing::wall_at(kServiceNow - seconds_ago),
                         .level = "info",
                         .event = event,
                         .subject = subject,
                         .text = std::move(text)});
  }
  void sample(std::int64_t seconds_ago, const char* counterset) {
    auto raw =
        testing::sample_of_column({.index = 2, .type = testing::kGauge, .size = 4}, {"a"}, {1}, 1);
    const SteadyTime steady = testing::instant_at(100'000 - seconds_ago).steady;
    testing::record(
        recorder_,
        {testing::state_of(std::move(raw),
                           {.steady = steady, .wall = testing::wall_at(kServiceNow - seconds_ago)},
                           counterset)});
  }

  BuildInfo build_{"1", "abc", "gcc", "linux", "x86_64"};
  std::vector<api::Message> messages_;
  Settings settings_;
  recorder::Recorder recorder_{testing::kLargeBudget};
  SampleSlot slot_;
  ExporterRegistry registry_{build_, {}};
  Router router_{
      slot_,
      registry_,
      {.build = build_,
       .mapping = {},
       .now = [] { return testing::instant_at(100'000).steady; },
       .facts = {.slot = nullptr, .wall_now = [] { return testing::wall_at(kServiceNow); }},
       .history = [this] { return recorder_.history(); },
       .service = {.messages = [this] { return messages_; },
                   .landmarks = [this] { return messages_; },
                   .config = {.file = "w.yaml", .settings = [this] {
                                return std::make_shared<const Settings>(settings_);
                              }}}}};
  HttpAnswers answers_{router_, {}};
};

TEST_F(ServiceRoutes, TheLogHasTheLastMessages) {
  for (int i = 0; i < 300; ++i) add(300 - i, "target_fails", "srv-1", std::to_string(i));
  EXPECT_EQ(json_of("/api/v1/log").at("messages").size(), 100u);
  EXPECT_THAT(texts_of(json_of("/api/v1/log?n=2").at("messages")), ElementsAre("298", "299"));
  EXPECT_THAT(texts_of(json_of("/api/v1/log?since=3s").at("messages")),
              ElementsAre("297", "298", "299"));
  const Json last = json_of("/api/v1/log?n=1").at("messages").at(0);
  EXPECT_EQ(last, Json({{"time", "1981-04-07T21:19:59.0000000Z"},
                        {"level", "info"},
                        {"event", "target_fails"},
                        {"subject", "srv-1"},
                        {"text", "299"}}));
}

TEST_F(ServiceRoutes, ALogWithoutMessagesIsEmpty) {
  EXPECT_TRUE(json_of("/api/v1/log").at("messages").empty());
  add(1, "started", "", "bad \xff text");
  EXPECT_EQ(json_of("/api/v1/log").at("messages").at(0).at("subject"), nullptr);
  EXPECT_THAT(texts_of(json_of("/api/v1/log").at("messages")), ElementsAre("bad \uFFFD text"));
}

TEST_F(ServiceRoutes, WrongParametersOfTheLogAreNamed) {
  for (const char* const n : {"0", "1001", "x", "-1", ""})
    EXPECT_EQ(error_of(std::string("/api/v1/log?n=") + n).at("parameter"), "n") << n;
  EXPECT_EQ(error_of("/api/v1/log?since=yesterday").at("parameter"), "since");
  EXPECT_EQ(error_of("/api/v1/annotations?n=1").at("parameter"), "n");
  EXPECT_EQ(error_of("/api/v1/annotations?since=").at("parameter"), "since");
}

TEST_F(ServiceRoutes, AnnotationsAreEventsAndMissingSamplesInTheirOrder) {
  add(200, "started", "", "it runs");
  for (const std::int64_t ago : {150, 50}) sample(ago, "Memory");
  add(100, "reloaded", "", "winperf.yaml: 2 countersets");
  const Json all = json_of("/api/v1/annotations").at("annotations");
  EXPECT_THAT(texts_of(all), ElementsAre("it runs", "no sample of 1 counterset for 1m40s",
                                         "winperf.yaml: 2 countersets"));
  EXPECT_EQ(all.at(1), Json({{"time", "1981-04-07T21:17:30.0000000Z"},
                             {"until", "1981-04-07T21:19:10.0000000Z"},
                             {"seconds", 100},
                             {"kind", "gap"},
                             {"subject", "Memory"},
                             {"text", "no sample of 1 counterset for 1m40s"}}));
  EXPECT_EQ(all.at(0).at("until"), nullptr);
  EXPECT_EQ(json_of("/api/v1/annotations?since=60s").at("annotations").size(), 1u)
      << "the missing samples end within that time";
}

TEST_F(ServiceRoutes, AScraperIsShownByItsAddress) {
  EXPECT_TRUE(json_of("/api/v1/scrapers").at("scrapers").empty());
  get("/metrics", "User-Agent: Prometheus/\xc2\x9b" + std::string(1000, 'x') +
                      "\r\nAccept: application/openmetrics-text;version=1.0.0\r\n"
                      "Accept-Encoding: gzip\r\n");
  const Json all = json_of("/api/v1/scrapers").at("scrapers");
  ASSERT_EQ(all.size(), 1u);
  const std::string user_agent = all.at(0).at("user_agent");
  EXPECT_THAT(user_agent, ::testing::StartsWith("Prometheus/\\u009bxxx"));
  EXPECT_LT(user_agent.size(), 300u);
  EXPECT_EQ(all.at(0).at("scrapes"), 1);
  EXPECT_EQ(all.at(0).at("format"), "openmetrics");
  EXPECT_EQ(all.at(0).at("compressed"), true);
  EXPECT_EQ(all.at(0).at("interval_seconds"), nullptr);
}

TEST_F(ServiceRoutes, WorkersAreThoseOfTheSampleAndTheirProviders) {
  EXPECT_EQ(json_of("/api/v1/workers"),
            Json({{"workers", Json::array()}, {"providers", Json::array()}}));
  auto taken = std::make_shared<Sample>();
  WorkerState& worker = taken->workers.emplace_back();
  worker.name = "registry";
  worker.process_id = 4711;
  worker.starts = 2;
  taken->providers.emplace_back();
  taken->providers.back().provider = "Contoso";
  slot_.publish(taken);
  const Json found = json_of("/api/v1/workers");
  ASSERT_EQ(found.at("workers").size(), 1u);
  EXPECT_EQ(found.at("workers").at(0).at("worker"), "registry");
  EXPECT_EQ(found.at("workers").at(0).at("starts"), 2);
  EXPECT_EQ(found.at("workers"), json_of("/api/v1/sample").at("workers"));
  EXPECT_EQ(found.at("providers"), json_of("/api/v1/sample").at("providers"));
}

using ::testing::Contains;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;

constexpr char kListedFields[] =
    "Origin: https://grafana.example.com\r\nSec-Fetch-Site: cross-site\r\n";

class ListedPages : public ServiceRoutes {
 protected:
  testing::HttpResponse ask(const std::string& line, const std::string& fields) {
    return testing::parts_of(
        listing_.answer(testing::request_of(line, "Host: localhost\r\n" + fields), false));
  }
  HttpAnswers listing_{router_, {.access = {.origins = {"https://grafana.example.com"}}}};
};

TEST_F(ListedPages, MayReadAnswersOfTheApi) {
  const auto listed = ask("GET /api/v1/log", kListedFields);
  EXPECT_EQ(listed.status, 200);
  EXPECT_THAT(listed.headers,
              Contains(Pair("Access-Control-Allow-Origin", "https://grafana.example.com")));
  EXPECT_THAT(listed.headers, Contains(Pair("Vary", "Origin")));
  EXPECT_THAT(ask("GET /api/v1/nope?x", kListedFields).headers,
              Contains(Key("Access-Control-Allow-Origin")));
  EXPECT_THAT(ask("GET /nope", kListedFields).headers,
              Not(Contains(Key("Access-Control-Allow-Origin"))));
  const auto problem = ask("GET /api/v1/log?n=0", kListedFields);
  EXPECT_EQ(problem.status, 400);
  EXPECT_THAT(problem.headers, Contains(Key("Access-Control-Allow-Origin")))
      << "the page has to see why";
  const auto none = ask("GET /api/v1/log", "");
  EXPECT_EQ(none.status, 200);
  EXPECT_THAT(none.headers, Not(Contains(Key("Access-Control-Allow-Origin"))));
  EXPECT_THAT(none.headers, Contains(Pair("Vary", "Origin"))) << "for caches";
  EXPECT_THAT(ask("GET /metrics", kListedFields).headers,
              Not(Contains(Key("Access-Control-Allow-Origin"))));
}

TEST_F(ListedPages, MayAskBefore) {
  const std::string asks = "Access-Control-Request-Method: GET\r\n";
  const auto listed = ask("OPTIONS /api/v1/countersets/Memory", kListedFields + asks);
  EXPECT_EQ(listed.status, 204);
  EXPECT_THAT(listed.headers, Not(Contains(Key("Content-Length"))));
  EXPECT_EQ(listed.body.size(), 0u);
  EXPECT_THAT(listed.headers, Contains(Pair("Access-Control-Allow-Methods", "GET, HEAD")));
  EXPECT_THAT(listed.headers, Contains(Key("Access-Control-Allow-Origin")));
  for (const std::string origin : {"null", "https://evil.example", "https://grafana.example.com:1"})
    EXPECT_EQ(ask("OPTIONS /api/v1/log", "Origin: " + origin + "\r\n" + asks).status, 405)
        << origin;
  EXPECT_EQ(ask("OPTIONS /metrics", kListedFields + asks).status, 405);
  EXPECT_EQ(ask("OPTIONS /-/reload", kListedFields + asks).status, 405);
}

TEST_F(ListedPages, AreNoneWithoutAList) {
  EXPECT_EQ(get("/api/v1/log", kListedFields).status, 403);
  EXPECT_THAT(get("/api/v1/log").headers, Not(Contains(Pair("Vary", "Origin"))));
}

TEST_F(ServiceRoutes, TheConfigurationSaysWhereItsValuesComeFrom) {
  settings_ = {{.key = "interval", .value = "\"5s\"", .line = 3},
               {.key = "metrics.path", .value = "\"/m\"", .option = "--web.telemetry-path"},
               {.key = "recorder.memory", .value = "null"}};
  const Json found = json_of("/api/v1/config");
  EXPECT_EQ(found.at("file"), "w.yaml");
  EXPECT_EQ(found.at("keys").at(0), Json({{"key", "interval"},
                                          {"value", "5s"},
                                          {"source", "file"},
                                          {"line", 3},
                                          {"option", nullptr}}));
  EXPECT_EQ(found.at("keys").at(1).at("source"), "command line");
  EXPECT_EQ(found.at("keys").at(2).at("source"), "default");
}

TEST_F(ServiceRoutes, FamiliesAreTheSameUntilThereIsAnotherSample) {
  const auto header = [](const testing::HttpResponse& response, const std::string& name) {
    for (const auto& [one, value] : response.headers)
      if (one == name) return value;
    return std::string();
  };
  const auto first = get("/api/v1/families");
  const std::string tag = header(first, "ETag");
  EXPECT_EQ(get("/api/v1/families").body.str(), first.body.str());
  const auto known = get("/api/v1/families", "If-None-Match: " + tag + "\r\n");
  EXPECT_EQ(known.status, 304);
  EXPECT_EQ(known.body.size(), 0u);
  const auto packed = get("/api/v1/families", "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(testing::gunzipped(packed.body.str()), first.body.str());
  slot_.publish(std::make_shared<Sample>());
  const auto next = get("/api/v1/families", "If-None-Match: " + tag + "\r\n");
  EXPECT_EQ(next.status, 200);
  EXPECT_NE(header(next, "ETag"), tag);
}

}  // namespace
}  // namespace winperf
