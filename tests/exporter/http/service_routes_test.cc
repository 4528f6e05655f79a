// The routes about the program itself.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "exporter/http/router.h"
#include "tests/collectors/recorder/recorded.h"
#include "tests/exporter/support/http_exchange.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
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
                   .landmarks = [this] { return messages_; }}}};
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

}  // namespace
}  // namespace winperf
