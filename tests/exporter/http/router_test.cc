#include "exporter/http/router.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/large_sample.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

class RouterTest : public ::testing::Test {
 protected:
  Response get(std::string path, std::vector<std::pair<std::string, std::string>> query = {},
               std::string accept_encoding = "") {
    return router_.handle({.method = "GET",
                           .path = std::move(path),
                           .query = std::move(query),
                           .accept_encoding = std::move(accept_encoding),
                           .visitor = {.is_local = true}},
                          {});
  }
  Response ask(std::string method, std::string path) {
    return router_.handle(asking(std::move(method), std::move(path)), {});
  }
  static Request asking(std::string method, std::string path) {
    return {.method = std::move(method),
            .path = std::move(path),
            .query = {},
            .accept_encoding = "",
            .visitor = {.is_local = true}};
  }

  BuildInfo build_{"1.2<3", "abc", "gcc", "linux", "x86_64"};
  SampleSlot slot_;
  ExporterRegistry registry_{build_, kSampledAt};
  SteadyTime now_ = kTaken;
  Router router_{slot_, registry_, {build_, {}, [this] { return now_; }}};
};

TEST_F(RouterTest, Metrics_HaveTheExactContentType) {
  slot_.publish(typical_sample(1));
  const Response response = get("/metrics");
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
  const auto ready = [&] { return router.handle(asking("GET", "/-/ready"), {}).status; };
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
    const Response response = get("/metrics", {{"counterset[]", "memory"}}, encoding);
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
            "# HELP winperf_memory_page_faults_total Running total. In perfmon: What it is. "
            "[Memory\\\\Page Faults/sec, PERF_COUNTER_BULK_COUNT, 4/28]\n"
            "# TYPE winperf_memory_page_faults_total counter\n"
            "winperf_memory_page_faults_total 12\n");
}

TEST_F(RouterTest, Metrics_OfNothingThatIsThere_AreRefusedWithTheReason) {
  slot_.publish(typical_sample(1));
  const Response response = get("/metrics", {{"counterset[]", "Nope"}});
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(response.body.str(), "no counterset called 'Nope' is sampled\n");
}

TEST_F(RouterTest, Metrics_AreOpenMetricsOnRequest) {
  slot_.publish(typical_sample(1));
  for (const char* const encoding : {"", "gzip"}) {
    Request request = asking("GET", "/metrics");
    request.accept = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
    request.accept_encoding = encoding;
    const Response response = router_.handle(request, {});
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
  const Response response = get("/metrics", {}, "gzip");
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
  EXPECT_THAT(get("/-/ready").body.str(), HasSubstr("no counterset has values that are new"));
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
  const auto scrape = [&](std::uint8_t host, const char* method = "GET", bool proxy = false) {
    Request request = asking(method, "/metrics");
    request.visitor.address = to_net_address(std::vector<std::uint8_t>{10, 0, 0, host});
    request.visitor.is_forwarded = proxy;
    return router.handle(request, {}).body.str();
  };
  std::string page;
  for (int i = 0; i < 6; ++i, now_ += std::chrono::seconds(7)) {
    scrape(6, "HEAD");
    scrape(7, "GET", true);
    page = scrape(5);
  }
  EXPECT_THAT(page, HasSubstr("\nwinperf_exporter_early_scrapes_total 5\n"));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].address, "10.0.0.5");
  EXPECT_EQ(told[0].between, std::chrono::seconds(7));
  EXPECT_EQ(told[0].counterset, "Memory");
  EXPECT_EQ(told[0].interval, std::chrono::seconds(15));
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

TEST_F(RouterTest, Landing_IsHtmlWithLinks) {
  const Response response = get("/");
  EXPECT_EQ(response.content_type, "text/html; charset=utf-8");
  for (const char* path : {"metrics", "api/v1/sample", "-/healthy", "-/ready", "version"}) {
    EXPECT_THAT(response.body.str(), HasSubstr("href=\"" + std::string(path) + '"'));
    EXPECT_NE(get('/' + std::string(path)).status, 404) << path;
  }
  EXPECT_THAT(response.body.str(), HasSubstr("1.2&lt;3"));
}

TEST_F(RouterTest, Sample_IsJson) {
  EXPECT_EQ(get("/api/v1/sample").status, 503);
  slot_.publish(typical_sample(3));
  const Response response = get("/api/v1/sample");
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_EQ(nlohmann::json::parse(response.body.str())["sequence"], 3);
  const Response compressed = get("/api/v1/sample", {}, "gzip");
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
    const Response response = get("/api/v1/sample", {}, "gzip");
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
  const Response first = get("/api/v1/sample");
  const auto tag =
      std::ranges::find(first.headers, "ETag", [](const auto& one) { return one.first; });
  ASSERT_NE(tag, first.headers.end());
  EXPECT_THAT(first.headers, Contains(Pair("Cache-Control", "no-cache")));
  Request request = asking("GET", "/api/v1/sample");
  request.if_none_match = tag->second;
  request.accept_encoding = "gzip";
  const Response again = router_.handle(request, {});
  EXPECT_EQ(again.status, 304);
  EXPECT_EQ(again.body.size(), 0U);
  EXPECT_THAT(again.headers, Contains(*tag));
  EXPECT_THAT(again.headers, Contains(Pair("Vary", "Accept-Encoding")));
  EXPECT_THAT(again.headers, Not(Contains(Pair("Content-Encoding", "gzip"))));
  slot_.publish(typical_sample(4));
  EXPECT_EQ(router_.handle(request, {}).status, 200);
}

TEST_F(RouterTest, Sample_IsRenderedOnceUntilTheNextOne) {
  slot_.publish(large_sample(30));
  const auto largest = [&](std::string encoding) {
    const Response response = get("/api/v1/sample", {}, std::move(encoding));
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
  for (const char* path : {"/api/v1/sample", "/version", "/"}) {
    Request request = asking("GET", path);
    request.visitor.is_local = false;
    const Response refused = router_.handle(request, {});
    EXPECT_EQ(refused.status, 403) << path;
    EXPECT_EQ(refused.content_type, "text/plain; charset=utf-8");
    EXPECT_THAT(refused.body.str(),
                ::testing::StartsWith(std::string(path) + " is only for this machine"));
    EXPECT_THAT(get("/metrics").body.str(),
                HasSubstr("{code=\"403\",route=\"" + std::string(path) + "\"} 1\n"));
    const AccessRules open{.serve = {{Area::kApi, Area::kPage}}};
    EXPECT_NE(router_.handle(request, open).status, 403) << path;
  }
  Request reload = asking("POST", "/-/reload");
  reload.visitor.is_local = false;
  EXPECT_EQ(router_.handle(reload, {}).status, 403);
  for (const char* path : {"/metrics", "/-/healthy", "/-/ready", "/health"}) {
    Request request = asking("GET", path);
    request.visitor.is_local = false;
    EXPECT_NE(router_.handle(request, {}).status, 403) << path;
  }
}

TEST_F(RouterTest, Reload_OfAnotherSitesPage_IsRefused) {
  Request reload = asking("POST", "/-/reload");
  reload.visitor.host = "localhost:1";
  reload.visitor.origin = "http://evil.example";
  EXPECT_EQ(router_.handle(reload, {}).status, 403);
}

TEST_F(RouterTest, Sample_OfAnUnknownCounterset_IsAJsonError) {
  slot_.publish(typical_sample(3));
  const Response response = get("/api/v1/sample", {{"counterset", "Nope\""}});
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(nlohmann::json::parse(response.body.str())["error"],
            "no counterset is called 'Nope\"'");
  EXPECT_EQ(get("/api/v1/sample", {{"object", "x"}}).status, 400);
}

TEST_F(RouterTest, OtherMethods_AreRefusedWithAllow) {
  const Response response = ask("POST", "/metrics");
  EXPECT_EQ(response.status, 405);
  EXPECT_THAT(response.headers, Contains(Pair("Allow", "GET, HEAD")));
  EXPECT_EQ(ask("HEAD", "/metrics").status, 200);
}

TEST_F(RouterTest, Reload_IsAnsweredByWhoeverReloads) {
  Router router(slot_, registry_,
                {.build = build_,
                 .mapping = {},
                 .now = [] { return kTaken; },
                 .reload = [] { return plain_response(500, "line 3\n"); }});
  EXPECT_EQ(router.handle(asking("POST", "/-/reload"), {}).body.str(), "line 3\n");
  const Response get = router.handle(asking("GET", "/-/reload"), {});
  EXPECT_EQ(get.status, 405);
  EXPECT_THAT(get.headers, Contains(Pair("Allow", "POST")));
  EXPECT_EQ(ask("POST", "/-/reload").status, 404) << "there is nobody";
}

TEST_F(RouterTest, ChangedMapping_ShowsInTheNextPage) {
  slot_.publish(typical_sample(1));
  EXPECT_THAT(get("/metrics").body.str(), Not(HasSubstr("_Total")));
  router_.change_mapping({.total_instances = true});
  EXPECT_THAT(get("/metrics").body.str(), HasSubstr("_Total"));
}

TEST_F(RouterTest, OtherPaths_AreNotFound) {
  for (const char* path : {"/x", "/metrics/", "//", "", "/api", "/../etc/passwd"}) {
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
  for (const char* target : {"/metrics", "/", "/-/healthy", "/-/ready", "/health", "/version"}) {
    EXPECT_EQ(router_.effort_of(target), Effort::kPlain) << target;
    EXPECT_EQ(router_.effort_of(target + std::string("?counterset=Memory")), Effort::kDear);
  }
  for (const char* target : {"/probe?target=a", "/probe", "/api/v1/sample", "/api/v1/facts",
                             "/api/v1/discovery", "/api/v1/targets", "/metrics?",
                             "/m%65trics?name=x", "/%6detrics", "/metrics/", "/x", "*", ""})
    EXPECT_EQ(router_.effort_of(target), Effort::kDear) << target;
  EXPECT_EQ(router_.effort_of("/-/reload"), Effort::kSlow);
  EXPECT_EQ(router_.effort_of("/-/reload?x"), Effort::kSlow);
}

TEST_F(RouterTest, ThePlaceOfTheMetrics_IsPlainWhereverItIs) {
  router_.change_metrics_path("/elsewhere");
  EXPECT_EQ(router_.effort_of("/elsewhere"), Effort::kPlain);
  EXPECT_EQ(router_.effort_of("/elsewhere?name=x"), Effort::kDear);
  EXPECT_EQ(router_.effort_of("/metrics"), Effort::kDear);
}

}  // namespace
}  // namespace winperf
