#include "exporter/http/router.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/http_exchange.h"
#include "tests/exporter/support/large_sample.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

class RouterTest : public ::testing::Test {
 protected:
  HttpResponse get(const std::string& path,
                   const std::vector<std::pair<std::string, std::string>>& query = {},
                   const std::string& accept_encoding = "") {
    const std::string encoding =
        accept_encoding.empty() ? "" : "Accept-Encoding: " + accept_encoding + "\r\n";
    return parts_of(answers_.answer(
        request_of("GET " + target_of(path, query), "Host: localhost\r\n" + encoding), false));
  }
  HttpResponse ask(const RequestHead& request) { return parts_of(answers_.answer(request, false)); }
  HttpResponse ask(const std::string& line) { return ask(request_of(line)); }

  BuildInfo build_{"1.2<3", "abc", "gcc", "linux", "x86_64"};
  SampleSlot slot_;
  ExporterRegistry registry_{build_, kSampledAt};
  SteadyTime now_ = kTaken;
  Router router_{slot_, registry_, {build_, {}, [this] { return now_; }}};
  HttpAnswers answers_{router_, {}};
};

TEST_F(RouterTest, Metrics_HaveTheExactContentType) {
  slot_.publish(typical_sample(1));
  const HttpResponse response = get("/metrics");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_THAT(response.body.str(), HasSubstr("winperf_memory_page_faults_total 12\n"));
  EXPECT_EQ(response.body.str().back(), '\n');
  EXPECT_THAT(response.headers, Contains(Pair("Vary", "Accept, Accept-Encoding")));
}

TEST_F(RouterTest, WithFactsAlone_IsReadyOnceTheyWereRead) {
  FactSlot facts;
  Router router{
      slot_,
      registry_,
      {.build = build_, .mapping = {}, .now = [this] { return now_; }, .facts = {.slot = &facts}}};
  HttpAnswers answers(router, {});
  const auto ready = [&] {
    return parts_of(answers.answer(request_of("GET /-/ready"), false)).status;
  };
  slot_.publish(std::make_shared<Sample>());
  EXPECT_EQ(ready(), 503) << "nothing was read";
  const auto publish = [&](std::shared_ptr<const FactTable> table) {
    facts.publish(std::make_shared<FactSnapshot>(
        FactSnapshot{.topics = {{.topic = FactTopic::kTextfile,
                                 .stale_after = std::chrono::minutes(1),
                                 .table = std::move(table),
                                 .read_at = now_}}}));
  };
  publish(nullptr);
  EXPECT_EQ(ready(), 503) << "it could not be read";
  publish(std::make_shared<FactTable>());
  EXPECT_EQ(ready(), 200);
  now_ += std::chrono::minutes(2);
  EXPECT_EQ(ready(), 503) << "too long ago";
}

TEST_F(RouterTest, Metrics_OfACounterset_AreCutOutOfThePage) {
  slot_.publish(typical_sample(1));
  for (const char* const encoding : {"", "gzip"}) {
    const HttpResponse response = get("/metrics", {{"counterset[]", "memory"}}, encoding);
    EXPECT_EQ(response.status, 200);
    const std::string body = response.body.str();
    const std::string page = *encoding == '\0' ? body : gunzipped(body);
    EXPECT_THAT(page, HasSubstr("winperf_memory_page_faults_total 12\n"));
    EXPECT_THAT(page,
                HasSubstr("\nwinperf_exporter_counterset_success{counterset=\"Memory\"} 1\n"));
    EXPECT_THAT(page, HasSubstr("\nwinperf_exporter_build_info{"));
    EXPECT_THAT(page, Not(HasSubstr("winperf_cpu_")));
    EXPECT_THAT(page, Not(HasSubstr("counterset=\"Processor\"")));
  }
  EXPECT_EQ(get("/metrics", {{"name[]", "winperf_memory_page_faults_total"}}).body.str(),
            "# HELP winperf_memory_page_faults_total What it is (running total). "
            "[Memory\\\\Page Faults/sec, PERF_COUNTER_BULK_COUNT, 4/28]\n"
            "# TYPE winperf_memory_page_faults_total counter\n"
            "winperf_memory_page_faults_total 12\n");
}

TEST_F(RouterTest, Metrics_OfNothingThatIsThere_AreRefusedWithTheReason) {
  slot_.publish(typical_sample(1));
  const HttpResponse response = get("/metrics", {{"counterset[]", "Nope"}});
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.body.str(), "counterset 'Nope' is not sampled\n");
}

TEST_F(RouterTest, Metrics_AreOpenMetricsOnRequest) {
  slot_.publish(typical_sample(1));
  for (const char* const encoding : {"", "gzip"}) {
    RequestHead request = request_of("GET /metrics");
    request.accept = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
    request.accept_encoding = encoding;
    const HttpResponse response = ask(request);
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.content_type, "application/openmetrics-text; version=1.0.0; charset=utf-8");
    const std::string body = response.body.str();
    const std::string page = *encoding == '\0' ? body : gunzipped(body);
    EXPECT_THAT(
        page,
        HasSubstr(
            "\n# TYPE winperf_memory_page_faults counter\nwinperf_memory_page_faults_total 12\n"));
    EXPECT_TRUE(page.ends_with("\n# EOF\n"));
    EXPECT_THAT(response.headers, Contains(Pair("Vary", "Accept, Accept-Encoding")));
  }
}

TEST_F(RouterTest, Metrics_AreCompressedOnRequest) {
  slot_.publish(typical_sample(1));
  const HttpResponse response = get("/metrics", {}, "gzip");
  EXPECT_THAT(response.headers, Contains(Pair("Content-Encoding", "gzip")));
  EXPECT_THAT(gunzipped(response.body.str()), HasSubstr("winperf_memory_page_faults_total 12\n"));
}

TEST_F(RouterTest, Ready_FollowsTheFirstSample) {
  EXPECT_EQ(get("/-/ready").status, 503);
  EXPECT_THAT(get("/-/ready").body.str(), HasSubstr("no sample"));
  slot_.publish(typical_sample(1));
  EXPECT_EQ(get("/-/ready").status, 200);
}

TEST_F(RouterTest, Ready_WhileAnyCountersetHasFreshValues) {
  auto sample = typical_sample(1);
  sample->countersets[1].stale_after = std::chrono::seconds(30);
  slot_.publish(sample);
  now_ = kTaken + std::chrono::seconds(30);
  EXPECT_EQ(get("/-/ready").status, 200);
  now_ += std::chrono::milliseconds(1);
  EXPECT_EQ(get("/-/ready").status, 503);
  EXPECT_THAT(get("/-/ready").body.str(), HasSubstr("no counterset has fresh values"));
  EXPECT_EQ(get("/metrics").status, 200);
  sample = std::make_shared<Sample>(*sample);
  sample->countersets[1].stale_after = std::chrono::seconds(60);  // as after a reload
  slot_.publish(sample);
  EXPECT_EQ(get("/-/ready").status, 200);
  EXPECT_THAT(get("/metrics").body.str(), HasSubstr("\nwinperf_memory_page_faults_total 12\n"));
  sample = std::make_shared<Sample>(*sample);
  for (CountersetState& state : sample->countersets) state.sample = nullptr;
  slot_.publish(sample);
  EXPECT_EQ(get("/-/ready").status, 503) << "all have failed";
}

TEST_F(RouterTest, Metrics_ForAClientThatScrapesTooOften_AreCountedAndSaidOnce) {
  auto sample = typical_sample(1);
  sample->countersets[0].interval = std::chrono::seconds(5);
  sample->countersets[1].interval = std::chrono::seconds(15);
  for (CountersetState& state : sample->countersets) state.stale_after = std::chrono::hours(1);
  CountersetState absent;
  absent.name = "Absent";
  absent.interval = std::chrono::hours(1);
  sample->countersets.push_back(absent);
  slot_.publish(sample);
  std::vector<EarlyScraper> told;
  Router router(slot_, registry_,
                {.build = build_,
                 .mapping = {},
                 .now = [this] { return now_; },
                 .early_scraper = [&](const EarlyScraper& who) { told.push_back(who); }});
  HttpAnswers answers(router, {});
  const auto scrape = [&](std::uint8_t host, const std::string& method = "GET",
                          const std::string& fields = "") {
    RequestHead request = request_of(method + " /metrics", "Host: a\r\n" + fields);
    request.visitor.address = to_net_address(std::vector<std::uint8_t>{10, 0, 0, host});
    return answers.answer(request, false).body.str();
  };
  std::string page;
  for (int i = 0; i < 6; ++i, now_ += std::chrono::seconds(7)) {
    scrape(6, "HEAD");
    scrape(7, "GET", "Via: 1.1 x\r\n");
    page = scrape(5);
  }
  EXPECT_THAT(page, HasSubstr("\nwinperf_exporter_early_scrapes_total 5\n"));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].address, "10.0.0.5");
  EXPECT_EQ(told[0].between, std::chrono::seconds(7));
  EXPECT_EQ(told[0].counterset, "Memory");
  EXPECT_EQ(told[0].interval, std::chrono::seconds(15));
}

TEST_F(RouterTest, Scrapes_AreCountedForTheNextOne) {
  Router router(slot_, registry_, {.build = build_, .mapping = {}, .now = [this] { return now_; }});
  HttpAnswers answers(router, {});
  const auto scrape = [&](std::uint8_t host, bool is_local, const std::string& query) {
    RequestHead request = request_of("GET /metrics" + query, "Host: a\r\n");
    request.visitor.address = to_net_address(std::vector<std::uint8_t>{10, 0, 0, host});
    request.visitor.is_local = is_local;
    return '\n' + answers.answer(request, false).body.str();
  };
  const auto shows = [](int clients, int age) {
    return AllOf(
        HasSubstr("\nwinperf_exporter_http_scrape_clients " + std::to_string(clients) + '\n'),
        HasSubstr("\nwinperf_exporter_http_last_scrape_age_seconds " + std::to_string(age) + '\n'));
  };
  const std::string part =
      "?name[]=winperf_exporter_http_scrape_clients"
      "&name[]=winperf_exporter_http_last_scrape_age_seconds";
  const std::string first = scrape(5, false, "");
  EXPECT_THAT(first, HasSubstr("\nwinperf_exporter_http_scrape_clients 0\n"));
  EXPECT_THAT(first, Not(HasSubstr("http_last_scrape_age_seconds")));
  now_ += std::chrono::seconds(15);
  EXPECT_THAT(scrape(1, true, part), shows(1, 15)) << "this machine's";
  now_ += std::chrono::seconds(5);
  EXPECT_THAT(scrape(6, false, part), shows(1, 20)) << "a part for this machine isn't a scrape";
  now_ += std::chrono::seconds(1);
  EXPECT_THAT(scrape(1, true, ""), shows(2, 1)) << "a part for another machine is one";
  EXPECT_THAT(scrape(1, true, part), shows(3, 0));
}

TEST_F(RouterTest, Health_IsGoodFromTheBeginning) {
  EXPECT_EQ(get("/-/healthy").status, 200);
  EXPECT_EQ(get("/health").body.str(), "{\"status\":\"ok\"}\n");
  EXPECT_EQ(get("/health").content_type, "application/json");
}

TEST_F(RouterTest, Version_IsJsonOfTheBuild) {
  EXPECT_EQ(get("/version").content_type, "application/json");
  const nlohmann::json expected = {{"version", "1.2<3"},
                                   {"revision", "abc"},
                                   {"compiler", "gcc"},
                                   {"os", "linux"},
                                   {"arch", "x86_64"}};
  EXPECT_EQ(nlohmann::json::parse(get("/version").body.str()), expected);
}

TEST_F(RouterTest, Sample_IsJson) {
  EXPECT_EQ(get("/api/v1/sample").status, 503);
  slot_.publish(typical_sample(3));
  const HttpResponse response = get("/api/v1/sample");
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_EQ(nlohmann::json::parse(response.body.str())["sequence"], 3);
  const HttpResponse compressed = get("/api/v1/sample", {}, "gzip");
  EXPECT_EQ(gunzipped(compressed.body.str()), response.body.str());
}

TEST_F(RouterTest, Sample_IsCompressedFrom1024BytesOn) {
  const auto publish = [&](std::size_t name_bytes) {
    CountersetState failed;
    failed.name = std::string(name_bytes, 'x');
    slot_.publish(sample(1, {failed}));
    return get("/api/v1/sample").body.size();
  };
  const std::size_t rest = publish(0);
  const auto is_compressed = [&] {
    const HttpResponse response = get("/api/v1/sample", {}, "gzip");
    return ::testing::Matches(Contains(Pair("Content-Encoding", "gzip")))(response.headers);
  };
  ASSERT_EQ(publish(1023 - rest), 1023U);
  EXPECT_FALSE(is_compressed());
  ASSERT_EQ(publish(1024 - rest), 1024U);
  EXPECT_TRUE(is_compressed());
  EXPECT_THAT(get("/api/v1/sample").headers, Not(Contains(Pair("Content-Encoding", "gzip"))));
}

TEST_F(RouterTest, Sample_OfOneCounterset) {
  slot_.publish(typical_sample(3));
  const auto one =
      nlohmann::json::parse(get("/api/v1/sample", {{"counterset", "Memory"}}).body.str());
  EXPECT_EQ(one["countersets"].size(), 1U);
  const auto two = nlohmann::json::parse(
      get("/api/v1/sample", {{"counterset", "Memory"}, {"counterset", "Processor"}}).body.str());
  EXPECT_EQ(two["countersets"].size(), 2U);
}

TEST_F(RouterTest, Sample_ThatTheClientHas_IsNotSentAgain) {
  slot_.publish(typical_sample(3));
  const HttpResponse first = get("/api/v1/sample");
  const auto tag =
      std::ranges::find(first.headers, "ETag", [](const auto& one) { return one.first; });
  ASSERT_NE(tag, first.headers.end());
  EXPECT_THAT(first.headers, Contains(Pair("Cache-Control", "no-cache")));
  RequestHead request = request_of("GET /api/v1/sample");
  request.if_none_match = tag->second;
  request.accept_encoding = "gzip";
  const HttpResponse again = ask(request);
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body.size(), 0U);
  EXPECT_THAT(again.headers, Contains(*tag));
  EXPECT_THAT(again.headers, Contains(Pair("Vary", "Accept-Encoding")));
  EXPECT_THAT(again.headers, Not(Contains(Pair("Content-Encoding", "gzip"))));
  slot_.publish(typical_sample(4));
  EXPECT_EQ(ask(request).status, 200);
}

TEST_F(RouterTest, Sample_IsRenderedOnceUntilTheNextOne) {
  slot_.publish(large_sample(30));
  const auto largest = [&](const std::string& encoding) {
    const HttpResponse response = get("/api/v1/sample", {}, encoding);
    return *std::ranges::max_element(response.body.pieces(), {},
                                     [](const auto& p) { return p->size(); });
  };
  for (const char* encoding : {"", "gzip"}) {
    const SharedText::Piece first = largest(encoding);
    EXPECT_EQ(largest(encoding), first) << encoding;
    slot_.publish(large_sample(30));
    EXPECT_NE(largest(encoding), first) << encoding;
  }
}

TEST_F(RouterTest, WhoMayNotHaveARoute_IsToldWhyAndCounted) {
  const auto stranger = [](const std::string& line) {
    return request_of(line, "Host: localhost\r\n", false);
  };
  for (const std::string path : {"/api/v1/sample", "/version", "/"}) {
    const RequestHead request = stranger("GET " + path);
    const HttpResponse refused = ask(request);
    EXPECT_EQ(refused.status, 403) << path;
    const bool is_text = !is_api(path);
    EXPECT_EQ(refused.content_type,
              is_text ? "text/plain; charset=utf-8" : "application/problem+json");
    const std::string body = refused.body.str();
    EXPECT_THAT(is_text ? body : std::string(nlohmann::json::parse(body)["detail"]),
                ::testing::StartsWith(path + " is served to this machine only"));
    EXPECT_THAT(get("/metrics").body.str(), HasSubstr("{code=\"403\",route=\"" + path + "\"} 1\n"));
    HttpAnswers open(router_, {.access = {.serve = {{Area::kApi, Area::kPage}}}});
    EXPECT_NE(parts_of(open.answer(request, false)).status, 403) << path;
  }
  EXPECT_EQ(ask(stranger("POST /-/reload")).status, 403);
  for (const std::string path : {"/metrics", "/-/healthy", "/-/ready", "/health"})
    EXPECT_NE(ask(stranger("GET " + path)).status, 403) << path;
}

TEST_F(RouterTest, Reload_OfAnotherSitesPage_IsRefused) {
  EXPECT_EQ(
      ask(request_of("POST /-/reload", "Host: localhost:1\r\nOrigin: http://evil.example\r\n"))
          .status,
      403);
}

TEST_F(RouterTest, ErrorsOfTheApi_AreDocumentsWithTheNearestName) {
  slot_.publish(typical_sample(3));
  const auto problem = [&](const HttpResponse& response, int status) {
    EXPECT_EQ(response.status, status);
    EXPECT_EQ(response.content_type, "application/problem+json");
    const auto document = nlohmann::json::parse(response.body.str());
    EXPECT_EQ(document["status"], status);
    EXPECT_EQ(document["type"], "about:blank");
    return document;
  };
  const nlohmann::json unknown = {
      {"type", "about:blank"},
      {"title", "Bad Request"},
      {"status", 400},
      {"detail", "counterset 'Memry\"' is not sampled; did you mean 'Memory'?"},
      {"parameter", "counterset"},
      {"nearest", "Memory"}};
  EXPECT_EQ(problem(get("/api/v1/sample", {{"counterset", "Memry\""}}), 400), unknown);
  const auto misspelt = problem(get("/api/v1/sample", {{"countersets", "x"}}), 400);
  EXPECT_EQ(misspelt["parameter"], "countersets");
  EXPECT_EQ(misspelt["nearest"], "counterset");
  const auto none = problem(get("/api/v1/discovery", {{"x", ""}}), 400);
  EXPECT_EQ(none["detail"], "unknown parameter 'x'; this route has none");
  EXPECT_EQ(problem(get("/api/v1/facts", {{"topic", "servces"}}), 400)["nearest"], "services");
  EXPECT_EQ(problem(get("/api/v1/facts"), 404)["detail"], "no facts are read");
  EXPECT_EQ(problem(get("/api/v1/sampel"), 404)["nearest"], "/api/v1/sample");
  EXPECT_EQ(problem(ask("POST /api/v1/sample"), 405)["detail"], "method not allowed; use GET");
}

TEST_F(RouterTest, ParametersOfTheApi_HaveLimits) {
  slot_.publish(typical_sample(3));
  const std::string most(1000, 'x');
  const auto detail = [&](const std::vector<std::pair<std::string, std::string>>& query) {
    return std::string(nlohmann::json::parse(get("/api/v1/sample", query).body.str())["detail"]);
  };
  EXPECT_THAT(detail({{"counterset", most}}), HasSubstr("is not sampled"));
  EXPECT_EQ(detail({{"counterset", most + "x"}}),
            "the parameter counterset has 1001 bytes; 1000 are allowed");
  // The library counts equal ones once.
  std::vector<std::pair<std::string, std::string>> query;
  for (int i = 0; i < 100; ++i) query.emplace_back("counterset", std::to_string(i));
  EXPECT_EQ(detail(query), "counterset '0' is not sampled");
  query.emplace_back("counterset", "100");
  EXPECT_EQ(detail(query), "the parameter counterset is there 101 times; 100 are allowed");
  EXPECT_EQ(nlohmann::json::parse(
                get("/api/v1/facts", {{"topic", "os"}, {"topic", "time"}}).body.str())["detail"],
            "the parameter topic may be there only once");
}

TEST_F(RouterTest, OtherMethods_AreRefusedWithAllow) {
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"}) {
    const HttpResponse response = ask(method + std::string(" /metrics"));
    EXPECT_EQ(response.status, 405) << method;
    EXPECT_THAT(response.headers, Contains(Pair("Allow", "GET, HEAD")));
    EXPECT_EQ(ask(method + std::string(" /x")).status, 404) << method;
  }
  EXPECT_EQ(ask("HEAD /metrics").status, 200);
}

TEST_F(RouterTest, Reload_IsAnsweredByWhoeverReloads) {
  Router router(slot_, registry_,
                {.build = build_,
                 .mapping = {},
                 .now = [] { return kTaken; },
                 .reload = [] { return PlainAnswer{500, "line 3\n"}; }});
  HttpAnswers answers(router, {});
  const HttpResponse done = parts_of(answers.answer(request_of("POST /-/reload"), false));
  EXPECT_EQ(done.status, 500);
  EXPECT_EQ(done.body.str(), "line 3\n");
  const HttpResponse get = parts_of(answers.answer(request_of("GET /-/reload"), false));
  EXPECT_EQ(get.status, 405);
  EXPECT_THAT(get.headers, Contains(Pair("Allow", "POST")));
  EXPECT_EQ(ask("POST /-/reload").status, 404) << "there is nobody";
}

TEST_F(RouterTest, ChangedMapping_ShowsInTheNextPage) {
  slot_.publish(typical_sample(1));
  EXPECT_THAT(get("/metrics").body.str(), Not(HasSubstr("_Total")));
  router_.change_mapping({.total_instances = true});
  EXPECT_THAT(get("/metrics").body.str(), HasSubstr("_Total"));
}

TEST_F(RouterTest, OtherPaths_AreNotFound) {
  for (const char* path : {"/x", "/metrics/", "//", "*", "/api", "/../etc/passwd", "/metrics%00",
                           "/page", "/pages/x"}) {
    EXPECT_EQ(get(path).status, 404) << path;
  }
}

TEST_F(RouterTest, Requests_AreCountedByRouteAndCodeAndNotByPath) {
  get("/x");
  get("/y");
  get("/-/ready");
  const std::string page = get("/metrics").body.str();
  EXPECT_THAT(page,
              HasSubstr("winperf_exporter_http_requests_total{code=\"404\",route=\"other\"} 2\n"));
  EXPECT_THAT(
      page, HasSubstr("winperf_exporter_http_requests_total{code=\"503\",route=\"/-/ready\"} 1\n"));
}

// Whatever asks for something of its own, and whatever this can't tell, is dear.
TEST_F(RouterTest, OnlyWhatEverybodyShares_IsPlain) {
  for (const char* target :
       {"/metrics", "/", "/page/1/a/b.js", "/-/healthy", "/-/ready", "/health", "/version"}) {
    EXPECT_EQ(router_.effort_of(target), Effort::kPlain) << target;
    EXPECT_EQ(router_.effort_of(target + std::string("?counterset=Memory")), Effort::kCostly);
  }
  for (const char* target : {"/probe?target=a", "/probe", "/api/v1/sample", "/api/v1/facts",
                             "/api/v1/discovery", "/api/v1/targets", "/metrics?",
                             "/m%65trics?name=x", "/%6detrics", "/metrics/", "/x", "*", ""})
    EXPECT_EQ(router_.effort_of(target), Effort::kCostly) << target;
  EXPECT_EQ(router_.effort_of("/-/reload"), Effort::kSlow);
  EXPECT_EQ(router_.effort_of("/-/reload?x"), Effort::kSlow);
}

TEST_F(RouterTest, ThePlaceOfTheMetrics_IsPlainWhereverItIs) {
  router_.change_metrics_path("/elsewhere");
  EXPECT_EQ(router_.effort_of("/elsewhere"), Effort::kPlain);
  EXPECT_EQ(router_.effort_of("/elsewhere?name=x"), Effort::kCostly);
  EXPECT_EQ(router_.effort_of("/metrics"), Effort::kCostly);
  EXPECT_EQ(get("/elsewhere").status, 200);
  EXPECT_EQ(ask("POST /elsewhere").status, 405);
  EXPECT_EQ(get("/metrics").status, 404);
  EXPECT_THAT(get("/elsewhere").body.str(), HasSubstr("{code=\"200\",route=\"/metrics\"} 1\n"));
}

}  // namespace
}  // namespace winperf
