#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "exporter/http/router.h"
#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/http_exchange.h"
#include "tests/exporter/support/sample_builder.h"

namespace winperf {
namespace {

using namespace testing;  // NOLINT: builders of this room's tests
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

// One target, "srv-1".
class OneTarget final : public Targets {
 public:
  OneTarget() : page(slot, {}, [] { return kTaken; }, [this] { return report(); }) {
    slot.publish(typical_sample(1));
  }
  ProbeAnswer probe(std::string_view host, std::string_view module, const NetAddress&) override {
    asked.emplace_back(host, module);
    if (host == "srv-1")
      return {.page = std::shared_ptr<MetricsPage>(std::shared_ptr<void>(), &page)};
    if (host == "early")
      return {.status = 503, .reason = "not yet", .retry_after = std::chrono::seconds(5)};
    return {.status = 403, .reason = "not configured"};
  }
  TargetsReport report() const override {
    TargetsReport report{.targets = {{.host = "srv-1", .module = kDefaultModule, .is_up = true}}};
    report.workers.emplace_back().name = "remote1";
    return report;
  }

  SampleSlot slot;
  MetricsPage page;
  std::vector<std::pair<std::string, std::string>> asked;
};

class ProbeTest : public ::testing::Test {
 protected:
  HttpResponse get(const std::string& path,
                   const std::vector<std::pair<std::string, std::string>>& query = {},
                   const std::string& accept_encoding = "", bool is_local = true) {
    return from(answers_, path, query, accept_encoding, is_local);
  }
  static HttpResponse from(HttpAnswers& answers, const std::string& path,
                           const std::vector<std::pair<std::string, std::string>>& query,
                           const std::string& accept_encoding = "", bool is_local = true) {
    const std::string fields = "Host: exporter:1\r\nAccept-Encoding: " + accept_encoding + "\r\n";
    return parts_of(
        answers.answer(request_of("GET " + target_of(path, query), fields, is_local), false));
  }

  BuildInfo build_{"1.2", "abc", "gcc", "linux", "x86_64"};
  SampleSlot slot_;
  ExporterRegistry registry_{build_, kSampledAt};
  OneTarget targets_;
  Router router_{
      slot_,
      registry_,
      {.build = build_, .mapping = {}, .now = [] { return kTaken; }, .targets = &targets_}};
  HttpAnswers answers_{router_, {}};
};

TEST_F(ProbeTest, IsThePageOfTheTargetAndOfNothingElse) {
  const HttpResponse response = get("/probe", {{"target", "srv-1"}, {"module", "default"}});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "text/plain; version=0.0.4; charset=utf-8");
  const std::string page = response.body.str();
  EXPECT_THAT(page, HasSubstr("winperf_memory_page_faults_total 12\n"));
  EXPECT_THAT(page,
              HasSubstr("winperf_exporter_target_up{target=\"srv-1\",module=\"default\"} 1\n"));
  EXPECT_THAT(page, Not(HasSubstr("winperf_exporter_build_info")));
  EXPECT_EQ(gunzipped(get("/probe", {{"target", "srv-1"}}, "gzip").body.str()), page);
  EXPECT_THAT(targets_.asked, ElementsAre(Pair("srv-1", "default"), Pair("srv-1", "default")));
}

TEST_F(ProbeTest, TakesTheQueryOfMetrics) {
  const HttpResponse part =
      get("/probe", {{"target", "srv-1"}, {"name[]", "winperf_memory_page_faults_total"}});
  EXPECT_EQ(part.status, 200);
  EXPECT_THAT(part.body.str(), HasSubstr("winperf_memory_page_faults_total 12\n"));
  EXPECT_THAT(part.body.str(), Not(HasSubstr("target_up")));
  EXPECT_EQ(get("/probe", {{"target", "srv-1"}, {"counterset[]", "Memry"}}).status, 400);
  EXPECT_EQ(get("/probe", {{"target", "srv-1"}, {"what", "x"}}).status, 200);
  EXPECT_EQ(get("/probe", {{"target", "srv-1"}, {"counterst[]", "Memory"}}).status, 400);
}

TEST_F(ProbeTest, WithoutOneTargetIsABadRequest) {
  EXPECT_EQ(get("/probe").status, 400);
  EXPECT_EQ(get("/probe", {{"target", ""}}).status, 400);
  EXPECT_EQ(get("/probe", {{"target", "a"}, {"target", "b"}}).status, 400);
  EXPECT_EQ(get("/probe", {{"target", "a"}, {"module", "b"}, {"module", "c"}}).status, 400);
  EXPECT_THAT(targets_.asked, ::testing::IsEmpty());
}

TEST_F(ProbeTest, ARefusalSaysWhyAndWhenToComeBack) {
  const HttpResponse early = get("/probe", {{"target", "early"}});
  EXPECT_EQ(early.status, 503);
  EXPECT_EQ(early.body.str(), "not yet\n");
  EXPECT_THAT(early.headers, Contains(Pair("Retry-After", "5")));
  EXPECT_THAT(early.headers, Not(Contains(Pair("Retry-After", "1"))));
  const HttpResponse foreign = get("/probe", {{"target", "10.0.0.1"}});
  EXPECT_EQ(foreign.status, 403);
  EXPECT_EQ(foreign.body.str(), "not configured\n");
}

TEST_F(ProbeTest, StrangersReadItAsTheyReadMetrics) {
  EXPECT_EQ(get("/probe", {{"target", "srv-1"}}, "", false).status, 200);
  EXPECT_EQ(get("/api/v1/targets", {}, "", false).status, 200);
  EXPECT_EQ(get("/api/v1/sample", {}, "", false).status, 403);
}

TEST_F(ProbeTest, DiscoveryNamesTheAddressThatWasAsked) {
  const HttpResponse response = get("/api/v1/targets");
  EXPECT_EQ(response.content_type, "application/json");
  const auto document = nlohmann::json::parse(response.body.str());
  ASSERT_EQ(document.size(), 1U);
  EXPECT_EQ(document[0]["targets"], nlohmann::json{"exporter:1"});
  const RequestHead nameless = request_of("GET /api/v1/targets", "Host:\r\n");
  EXPECT_EQ(parts_of(answers_.answer(nameless, false)).status, 400);
}

TEST_F(ProbeTest, MetricsKeepToThisMachineAndSayHowTheTargetsAre) {
  const std::string page = get("/metrics").body.str();
  EXPECT_THAT(page,
              HasSubstr("winperf_exporter_target_up{target=\"srv-1\",module=\"default\"} 1\n"));
  EXPECT_THAT(page, HasSubstr("winperf_exporter_worker_running{worker=\"remote1\"} 0\n"));
  EXPECT_THAT(page, Not(HasSubstr("winperf_memory_")));
}

TEST_F(ProbeTest, WithoutTargetsThereIsNothingToProbe) {
  Router router(slot_, registry_, {.build = build_, .mapping = {}, .now = [] { return kTaken; }});
  HttpAnswers answers(router, {});
  EXPECT_EQ(from(answers, "/probe", {{"target", "a"}}).status, 404);
  EXPECT_EQ(from(answers, "/api/v1/targets", {}).body.str(), "[\n]\n");
}

}  // namespace
}  // namespace winperf
