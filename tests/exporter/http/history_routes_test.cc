// /api/v1/range and /api/v1/top of a recorder that was filled second by second.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "exporter/http/router.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/exporter/support/gunzip.h"
#include "tests/exporter/support/http_exchange.h"

namespace winperf {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;
using Json = nlohmann::json;
using Query = std::vector<std::pair<std::string, std::string>>;

constexpr std::int64_t kHourBegin = 12'000'000'000;  // in 1981
constexpr std::int64_t kHourEnd = kHourBegin + 3'600;

std::shared_ptr<const CountersetSchema> history_schema() {
  auto schema = std::make_shared<CountersetSchema>(*testing::schema_of(
      {{.index = 2, .type = CounterType{0x20510500}, .size = 8, .name = "% Processor Time"},
       {.index = 4, .type = testing::kGauge, .size = 4, .name = "Thread Count"},
       {.index = 6, .type = testing::kAverage, .size = 8, .base_size = 4, .name = "Length"}},
      true));
  schema->name = "Process";
  return schema;
}

// The steady clock can't have that many seconds.
Instant moment_of(std::int64_t second) {
  return {.steady = testing::instant_at(second - kHourBegin + 1'000).steady,
          .wall = testing::wall_at(second)};
}

class HistoryRoutes : public ::testing::Test {
 protected:
  // An hour with a sample each 5 s: one process is there all the time, and another one for nine
  // minutes, forty minutes ago.
  HistoryRoutes() {
    const auto schema = history_schema();
    for (std::int64_t now = kHourBegin; now <= kHourEnd; now += 5) {
      auto set = std::make_shared<InstanceSet>();
      std::vector<std::uint64_t> rates;
      const auto process = [&](const char* name, std::uint64_t id, std::uint64_t rate) {
        InstanceSchema& instance = set->instances.emplace_back();
        instance.name = name;
        instance.process_id = id;
        rates.push_back(rate);
      };
      process("steady", 4, 1'000'000);
      if (now >= kHourBegin + 600 && now < kHourBegin + 1'150) process("burst", 44, 9'000'000);
      add(schema, std::move(set), rates, now);
    }
  }

  void add(const std::shared_ptr<const CountersetSchema>& schema,
           std::shared_ptr<const InstanceSet> set, const std::vector<std::uint64_t>& rates,
           std::int64_t now) {
    auto raw = testing::make_raw_sample(schema, std::move(set), testing::at_second(now));
    const auto age = static_cast<std::uint64_t>(now - kHourBegin);
    for (std::size_t row = 0; row < rates.size(); ++row) {
      raw->raw[raw->cell(row, 0)] = rates[row] * age + age % 7;
      raw->raw[raw->cell(row, 1)] = age % 60;
      raw->raw[raw->cell(row, 2)] = age * age;
      raw->more_column(raw->layout->columns[2].base)[row] = age * 3;
    }
    auto state = testing::state_of(chain_.append(std::move(raw)), moment_of(now));
    state.name = "Process";
    samples_.push_back(state.sample);
    testing::record(recorder_, {std::move(state)});
  }

  using HttpResponse = testing::HttpResponse;

  HttpResponse get(const std::string& path, const Query& query, const std::string& fields = "") {
    return testing::parts_of(
        answers_.answer(testing::request_of("GET " + testing::target_of(path, query),
                                            "Host: localhost\r\n" + fields),
                        false));
  }
  Json json_of(const std::string& path, const Query& query) {
    const HttpResponse response = get(path, query);
    EXPECT_EQ(response.status, 200) << response.body.str();
    EXPECT_EQ(response.content_type, "application/json");
    return Json::parse(response.body.str());
  }
  std::string error_of(const std::string& path, const Query& query) {
    const HttpResponse response = get(path, query);
    EXPECT_EQ(response.status, 400);
    return Json::parse(response.body.str()).at("detail");
  }
  static std::string time_text(std::int64_t second) {
    return std::to_string(second - kUnixEpoch100ns / kTicks100nsPerSecond);
  }

  BuildInfo build_{"1", "abc", "gcc", "linux", "x86_64"};
  SampleSlot slot_;
  ExporterRegistry registry_{build_, {}};
  recorder::Recorder recorder_{testing::kLargeBudget};
  testing::Chained chain_;
  std::vector<std::shared_ptr<const CountersetSample>> samples_;
  Router router_{slot_,
                 registry_,
                 {.build = build_,
                  .mapping = {},
                  .now = [] { return moment_of(kHourEnd).steady; },
                  .facts = {.slot = nullptr, .wall_now = [] { return testing::wall_at(kHourEnd); }},
                  .history = [this] { return recorder_.history(); }}};
  HttpAnswers answers_{router_, {}};
};

TEST_F(HistoryRoutes, ARangeBetweenTwoSamplesIsWhatARecordingOfThemGives) {
  for (const char* const counter : {"% Processor Time", "Thread Count", "Length"}) {
    SCOPED_TRACE(counter);
    const std::int64_t from = kHourEnd - 600;
    const Json answer =
        json_of("/api/v1/range", {{"path", "\\Process(steady)\\" + std::string(counter)},
                                  {"since", time_text(from)},
                                  {"until", time_text(from + 300)}});
    EXPECT_EQ(answer.at("step_seconds"), nullptr);
    ASSERT_EQ(answer.at("counters").size(), 1u);
    const Json& found = answer.at("counters").at(0);
    EXPECT_EQ(found.at("counterset"), "Process");
    EXPECT_EQ(found.at("counter"), counter);
    ASSERT_EQ(found.at("instances").size(), 1u);
    EXPECT_EQ(found.at("instances").at(0).at("process_id"), 4);
    ASSERT_EQ(found.at("instances").at(0).at("windows").size(), 1u);
    const Json& window = found.at("instances").at(0).at("windows").at(0);
    EXPECT_EQ(window.at("reason"), nullptr);
    EXPECT_EQ(window.at("shortest_seconds"), 5);
    testing::Chained two;
    std::shared_ptr<const CountersetSample> cooked;
    for (const std::int64_t second : {from, from + 300}) {
      auto raw = std::make_shared<CountersetSample>(
          *samples_.at(static_cast<std::size_t>((second - kHourBegin) / 5)));
      std::ranges::fill(raw->reason, NoValue::kNone);
      cooked = two.append(std::move(raw));
    }
    const auto& counters = cooked->schema->counters;
    const auto column = static_cast<std::size_t>(
        std::ranges::find(counters, counter, &CounterSchema::name) - counters.begin());
    const double expected = cooked->cooked[cooked->cell(0, column)];
    EXPECT_NEAR(window.at("cooked").get<double>(), expected, 1e-12 * std::abs(expected));
  }
}

TEST_F(HistoryRoutes, ARangeHasTheTimesOfItsSamplesAndTheReasonOfWhatIsMissing) {
  const Json answer = json_of("/api/v1/range", {{"path", "\\process(BURST)\\*time"},
                                                {"path", "\\Process(steady)\\thread count"},
                                                {"since", time_text(kHourBegin)},
                                                {"until", time_text(kHourEnd)},
                                                {"step", "4m"}});
  EXPECT_EQ(answer.at("since"), "1981-04-07T21:20:00.0000000Z");
  EXPECT_EQ(answer.at("step_seconds"), 240);
  const Json& burst = answer.at("counters").at(0).at("instances").at(0);
  EXPECT_EQ(burst.at("process_id"), 44);
  ASSERT_EQ(burst.at("windows").size(), 3u);
  EXPECT_EQ(burst.at("windows").at(0).at("reason"), "first_sample");
  EXPECT_EQ(burst.at("windows").at(2).at("reason"), "not_delivered");
  const Json& living = burst.at("windows").at(1);
  EXPECT_NEAR(living.at("cooked").get<double>(), 90, 0.001);
  EXPECT_EQ(living.at("mean"), nullptr);
  // A gauge was sampled with each number, and many of these samples are no longer kept.
  const Json& gauge = answer.at("counters").at(1).at("instances").at(0).at("windows").at(3);
  EXPECT_EQ(gauge.at("min"), 0);
  EXPECT_EQ(gauge.at("max"), 55);
  EXPECT_NEAR(gauge.at("mean").get<double>(), 27.5, 0.5);
  EXPECT_LT(gauge.at("from").get<std::string>(), gauge.at("to").get<std::string>());
}

TEST_F(HistoryRoutes, TheLeadersOfAnHourIncludeTheProcessThatEndedLongAgo) {
  const Json answer = json_of("/api/v1/top", {{"since", "1h"}, {"n", "1"}});
  ASSERT_EQ(answer.at("leaders").size(), 1u);
  const Json& first = answer.at("leaders").at(0);
  EXPECT_EQ(first.at("instance"), "burst");
  EXPECT_EQ(first.at("process_id"), 44);
  EXPECT_EQ(first.at("born"), true);
  EXPECT_EQ(first.at("ended"), true);
  EXPECT_NEAR(first.at("cooked").get<double>(), 90, 0.001);
}

TEST_F(HistoryRoutes, TheLeadersOfAMomentAreThoseBetweenTheTwoSamplesBeforeIt) {
  const Json now = json_of("/api/v1/top", {});
  ASSERT_EQ(now.at("leaders").size(), 1u);
  EXPECT_EQ(now.at("leaders").at(0).at("instance"), "steady");
  EXPECT_EQ(now.at("counter"), "% Processor Time");
  const Json then =
      json_of("/api/v1/top", {{"at", "40m"}, {"counter", "\\Process(*)\\Thread Count"}});
  ASSERT_EQ(then.at("leaders").size(), 1u);
  EXPECT_EQ(then.at("since"), then.at("until")) << "its value needs one sample";
  const Json burst = json_of("/api/v1/top", {{"at", time_text(kHourBegin + 900)}});
  ASSERT_EQ(burst.at("leaders").size(), 2u);
  EXPECT_EQ(burst.at("leaders").at(0).at("instance"), "burst");
  const Json before = json_of("/api/v1/top", {{"at", time_text(kHourBegin - 900)}});
  EXPECT_TRUE(before.at("leaders").empty());
}

TEST_F(HistoryRoutes, WhatIsNotThereIsRefusedWithTheParametersName) {
  const auto of_path = [&](const char* path) {
    return error_of("/api/v1/range", {{"path", path}});
  };
  EXPECT_EQ(of_path("\\Proces(*)\\% Processor Time"),
            "counterset 'Proces' is not recorded; did you mean 'Process'?");
  EXPECT_EQ(of_path("\\Process(*)\\% Procesor Time"),
            "counter '% Procesor Time' does not exist in 'Process'; did you mean '% Processor "
            "Time'?");
  EXPECT_THAT(of_path("Process"), HasSubstr("must be a perfmon path with a counter; write"));
  EXPECT_THAT(of_path("\\\\srv\\Process(*)\\Length"), HasSubstr(" of 'srv' is not recorded"));
  EXPECT_THAT(error_of("/api/v1/top", {{"counter", "\\Process(*)\\*"}}),
              HasSubstr("counter must name one counter"));
  EXPECT_THAT(error_of("/api/v1/top", {{"m", "1"}}), HasSubstr("unknown parameter 'm'"));
}

TEST_F(HistoryRoutes, WithoutAnythingRecordedTheyAreUnavailable) {
  recorder_.change_budget(0);
  const HttpResponse response = get("/api/v1/top", {});
  EXPECT_EQ(response.status, 503);
  EXPECT_THAT(response.body.str(), HasSubstr("recorder.memory is 0"));
}

TEST_F(HistoryRoutes, ALongAnswerIsCompressedOnRequest) {
  const Query query{{"path", "\\Process(*)\\*"}, {"since", "1h"}, {"step", "1m"}};
  const HttpResponse packed = get("/api/v1/range", query, "Accept-Encoding: gzip\r\n");
  EXPECT_THAT(packed.headers, Contains(Pair("Content-Encoding", "gzip")));
  EXPECT_EQ(testing::gunzipped(packed.body.str()), get("/api/v1/range", query).body.str());
}

}  // namespace
}  // namespace winperf
