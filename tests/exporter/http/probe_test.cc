#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "exporter/http/router.h"
#include "tests/collectors/recorder/recorded.h"
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
  OneTarget() { slot.publish(typical_sample(1)); }
  ProbeAnswer probe(std::string_view host, std::string_view module, const NetAddress&) override {
    asked.emplace_back(host, module);
    if (host == "srv-1") return {.machine = machine};
    if (host == "down")
      return {.machine = machine, .reason = "no logon", .retry_after = std::chrono::seconds(7)};
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
  recorder::Recorder recorder{recorder::kMebibyte};
  std::shared_ptr<MachineView> machine = std::make_shared<MachineView>(
      slot,
      std::make_shared<MetricsPage>(
          slot, MappingOptions{}, [] { return kTaken; }, [this] { return report(); }),
      MappingOptions{},
      MachineViewOptions{.host = "srv-1", .history = [this] { return recorder.history(); }});
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
    // The API is only for local names.
    const bool is_of_api = path.starts_with("/api/") && path != "/api/v1/targets";
    const std::string fields = std::string("Host: ") + (is_of_api ? "localhost" : "exporter:1") +
                               "\r\nAccept-Encoding: " + accept_encoding + "\r\n";
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

// Routes of the API about another machine.

TEST_F(ProbeTest, TheApiShowsATargetAsItShowsThisMachine) {
  slot_.publish(typical_sample(9));
  const auto of_target = [&](const std::string& path) {
    const HttpResponse response = get(path, {{"target", "srv-1"}});
    EXPECT_EQ(response.status, 200) << path << ": " << response.body.str();
    return response.body.str();
  };
  const auto sequence = [](const std::string& text) {
    return nlohmann::json::parse(text)["sequence"].get<int>();
  };
  EXPECT_EQ(sequence(of_target("/api/v1/sample")), 1);
  EXPECT_EQ(sequence(get("/api/v1/sample").body.str()), 9);
  EXPECT_EQ(nlohmann::json::parse(of_target("/api/v1/machine"))["name"], "srv-1");
  EXPECT_THAT(of_target("/api/v1/countersets"), HasSubstr("\"name\":\"Memory\""));
  EXPECT_THAT(of_target("/api/v1/countersets/Memory"), HasSubstr("\"counters\":"));
  EXPECT_THAT(of_target("/api/v1/counters"), HasSubstr("Page Faults/sec"));
  EXPECT_THAT(of_target("/api/v1/annotations"), HasSubstr("\"annotations\":"));
  const std::string families = of_target("/api/v1/families");
  EXPECT_THAT(families, HasSubstr("winperf_exporter_target_up"));
  EXPECT_THAT(families, Not(HasSubstr("winperf_exporter_build_info")));
  EXPECT_THAT(get("/api/v1/families").body.str(), HasSubstr("winperf_exporter_build_info"));
}

TEST_F(ProbeTest, TheApiTakesAModuleWithATargetOnly) {
  get("/api/v1/sample", {{"target", "srv-1"}, {"module", "iis"}});
  EXPECT_THAT(targets_.asked, ElementsAre(Pair("srv-1", "iis")));
  const HttpResponse alone = get("/api/v1/sample", {{"module", "iis"}});
  EXPECT_EQ(alone.status, 400);
  EXPECT_EQ(nlohmann::json::parse(alone.body.str())["parameter"], "module");
}

TEST_F(ProbeTest, TheApiSaysWhyThereIsNoTarget) {
  const HttpResponse early = get("/api/v1/sample", {{"target", "early"}});
  EXPECT_EQ(early.status, 503);
  EXPECT_THAT(early.headers, Contains(Pair("Retry-After", "5")));
  EXPECT_EQ(early.content_type, "application/problem+json");
  const HttpResponse wrong = get("/api/v1/sample", {{"target", "srv-2"}});
  EXPECT_EQ(wrong.status, 403);
  const auto problem = nlohmann::json::parse(wrong.body.str());
  EXPECT_EQ(problem["parameter"], "target");
  EXPECT_EQ(problem["nearest"], "srv-1");
  EXPECT_EQ(problem["detail"], "not configured");
}

TEST_F(ProbeTest, ATargetThatWasNeverReadHasNoDocuments_ButAPage) {
  EXPECT_EQ(get("/probe", {{"target", "down"}}).status, 200) << "which says that it is down";
  const HttpResponse down = get("/api/v1/top", {{"target", "down"}});
  EXPECT_EQ(down.status, 503);
  EXPECT_THAT(down.headers, Contains(Pair("Retry-After", "7")));
  EXPECT_EQ(nlohmann::json::parse(down.body.str())["detail"], "no logon");
}

TEST_F(ProbeTest, AnnotationsOfATargetAreNoOthers) {
  Router router{slot_,
                registry_,
                {.build = build_,
                 .mapping = {},
                 .now = [] { return kTaken; },
                 .targets = &targets_,
                 .service = {.landmarks = [] {
                   const auto about = [](std::string_view event, const std::string& subject) {
                     return api::Message{.time = kSampledAt,
                                         .level = "warn",
                                         .event = event,
                                         .subject = subject,
                                         .text = "x"};
                   };
                   return std::vector{about("reloaded", ""), about("target_hangs", "srv-1 (sql)"),
                                      about("target_hangs", "srv-10 (default)")};
                 }}}};
  HttpAnswers answers(router, {});
  const auto subjects = [&](const std::vector<std::pair<std::string, std::string>>& query) {
    std::vector<std::string> all;
    const auto document =
        nlohmann::json::parse(from(answers, "/api/v1/annotations", query).body.str());
    for (const auto& one : document["annotations"])
      all.push_back(one["subject"].is_null() ? "" : one["subject"].get<std::string>());
    return all;
  };
  EXPECT_THAT(subjects({{"target", "srv-1"}}), ElementsAre("", "srv-1 (sql)"));
  EXPECT_THAT(subjects({}), ElementsAre("", "srv-1 (sql)", "srv-10 (default)"));
}

TEST_F(ProbeTest, RoutesOfThisProgramTakeNoTarget) {
  for (const char* const path : {"/api/v1/log", "/api/v1/config", "/api/v1/facts",
                                 "/api/v1/discovery", "/api/v1/scrapers", "/api/v1/workers"})
    EXPECT_EQ(get(path, {{"target", "srv-1"}}).status, 400) << path;
  EXPECT_THAT(targets_.asked, ::testing::IsEmpty());
}

TEST_F(ProbeTest, ThePastOfATargetIsThatOfItsOwnRecorder) {
  const std::vector<std::pair<std::string, std::string>> query{
      {"target", "srv-1"}, {"path", R"(\Processor(*)\% Processor Time)"}};
  const HttpResponse nothing = get("/api/v1/range", query);
  EXPECT_EQ(nothing.status, 503);
  EXPECT_THAT(nothing.body.str(), HasSubstr("recorder.targets has to name it"));
  for (std::uint64_t second = 1; second < 5; ++second) {
    auto sample = typical_sample(second);
    for (CountersetState& state : sample->countersets)
      state.sampled_at = instant_at(static_cast<std::int64_t>(second));
    targets_.recorder.add(*sample);
  }
  const HttpResponse range = get("/api/v1/range", query);
  EXPECT_EQ(range.status, 200) << range.body.str();
  EXPECT_EQ(get("/api/v1/range", {query[1]}).status, 503) << "of this machine nothing is recorded";
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
  const HttpResponse of_api = from(answers, "/api/v1/sample", {{"target", "a"}});
  EXPECT_EQ(of_api.status, 404);
  EXPECT_THAT(of_api.body.str(), HasSubstr("samples no other machines"));
}

}  // namespace
}  // namespace winperf
