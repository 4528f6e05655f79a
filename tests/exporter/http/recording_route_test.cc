// /api/v1/recording: its parameters, its one client at a time, and what a browser saves.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "exporter/http/router.h"
#include "tests/exporter/support/held_work.h"
#include "tests/exporter/support/http_exchange.h"

namespace winperf {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr std::int64_t kDay = 86'400 * kTicks100nsPerSecond;
constexpr Ticks100ns kNowOfRecording{kUnixEpoch100ns + 20'000 * kDay};

class RecordingRoute : public ::testing::Test {
 protected:
  using HttpResponse = testing::HttpResponse;

  HttpResponse get(const std::vector<std::pair<std::string, std::string>>& query,
                   const std::string& method = "GET") {
    return testing::parts_of(answers_.answer(
        testing::request_of(method + ' ' + testing::target_of("/api/v1/recording", query)), false));
  }
  std::string error_of(const std::vector<std::pair<std::string, std::string>>& query) {
    const HttpResponse response = get(query);
    EXPECT_EQ(response.status, 400);
    return nlohmann::json::parse(response.body.str()).at("detail");
  }

  std::function<std::expected<RecordingFile, api::Problem>(const api::RecordingQuery&)> make_ =
      [this](const api::RecordingQuery& query) -> std::expected<RecordingFile, api::Problem> {
    queries_.push_back(query);
    return RecordingFile{.name = "SRV-1.zip", .bytes = std::string("PK")};
  };
  std::vector<api::RecordingQuery> queries_;
  BuildInfo build_{"1", "abc", "gcc", "linux", "x86_64"};
  SampleSlot slot_;
  ExporterRegistry registry_{build_, {}};
  Router router_{slot_,
                 registry_,
                 {.build = build_,
                  .mapping = {},
                  .now = [] { return SteadyTime(); },
                  .facts = {.slot = nullptr, .wall_now = [] { return kNowOfRecording; }},
                  .recording = [this](const MachineView&,
                                      const api::RecordingQuery& query) { return make_(query); }}};
  HttpAnswers answers_{router_, {}};
};

TEST_F(RecordingRoute, IsAFileToSave) {
  const HttpResponse response = get({});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "application/zip");
  EXPECT_EQ(response.body.str(), "PK");
  EXPECT_THAT(response.headers,
              Contains(Pair("Content-Disposition", "attachment; filename=\"SRV-1.zip\"")));
  EXPECT_THAT(response.headers, Contains(Pair("Cache-Control", "no-store")));
  ASSERT_EQ(queries_.size(), 1u);
  EXPECT_EQ(queries_[0].until, kNowOfRecording);
  EXPECT_EQ(queries_[0].since.ticks, kNowOfRecording.ticks - kDay / 12);
  EXPECT_TRUE(queries_[0].countersets.empty());
  EXPECT_FALSE(queries_[0].scrub);
}

TEST_F(RecordingRoute, HasParameters) {
  EXPECT_EQ(get({{"since", "24h"},
                 {"until", "12h"},
                 {"counterset", "Memory"},
                 {"counterset", "Process"},
                 {"scrub", "true"}})
                .status,
            200);
  ASSERT_EQ(queries_.size(), 1u);
  EXPECT_EQ(queries_[0].since.ticks, kNowOfRecording.ticks - kDay);
  EXPECT_EQ(queries_[0].until.ticks, kNowOfRecording.ticks - kDay / 2);
  EXPECT_THAT(queries_[0].countersets, ElementsAre("Memory", "Process"));
  EXPECT_TRUE(queries_[0].scrub);
}

TEST_F(RecordingRoute, SaysWhatIsWrong) {
  EXPECT_EQ(error_of({{"scrub", "yes"}}), "scrub must be true or false, not \"yes\"");
  EXPECT_EQ(error_of({{"since", "1h"}, {"until", "2h"}}), "since must be before until");
  EXPECT_THAT(error_of({{"since", "soon"}}), HasSubstr("since must be a time"));
  EXPECT_THAT(error_of({{"sinse", "1h"}}), HasSubstr("sinse"));
  EXPECT_TRUE(queries_.empty());
}

TEST_F(RecordingRoute, PassesOnTheReasonWhyThereIsNone) {
  make_ = [](const api::RecordingQuery&) -> std::expected<RecordingFile, api::Problem> {
    return std::unexpected(api::Problem{.status = 503, .detail = "nothing yet"});
  };
  const HttpResponse response = get({});
  EXPECT_EQ(response.status, 503);
  EXPECT_EQ(response.content_type, "application/problem+json");
  EXPECT_THAT(response.body.str(), HasSubstr("nothing yet"));
}

TEST_F(RecordingRoute, MakesNoneForARequestWithoutABody) {
  EXPECT_EQ(get({}, "HEAD").status, 200);
  EXPECT_TRUE(queries_.empty());
}

TEST_F(RecordingRoute, IsMadeForOneClientAtATime) {
  testing::HeldWork held;
  make_ = [&](const api::RecordingQuery&) -> std::expected<RecordingFile, api::Problem> {
    held.hold();
    return RecordingFile{.name = "it.zip", .bytes = std::string("PK")};
  };
  const auto [first, second] = held.while_held([&] { return get({}); });
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(second.status, 429);
  EXPECT_EQ(second.content_type, "application/problem+json");
  EXPECT_THAT(second.headers, Contains(Pair("Retry-After", "10")));
  EXPECT_THAT(second.body.str(), HasSubstr("another recording is being made"));
  EXPECT_EQ(get({}).status, 200) << "the turn is free again";
}

}  // namespace
}  // namespace winperf
