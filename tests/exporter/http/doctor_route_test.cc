// /api/v1/doctor: one diagnosis at a time, which is given again for a minute.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "exporter/http/router.h"
#include "tests/exporter/support/held_work.h"
#include "tests/exporter/support/http_exchange.h"

namespace winperf {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr char kHealthyMachine[] =
    R"({"schema":1,"source":"registry","summary":{"ok":0,"absent":0,"warning":0,"failed":0},)"
    R"("countersets":[],"checks":[]})";

class DoctorRoute : public ::testing::Test {
 protected:
  using HttpResponse = testing::HttpResponse;
  using Made = std::expected<std::string, api::Problem>;

  RouterOptions options() {
    return {.build = build_,
            .mapping = {},
            .now = [this] { return now_; },
            .facts = {.slot = nullptr, .wall_now = [] { return Ticks100ns{kUnixEpoch100ns}; }},
            .doctor = [this] { return make_(); }};
  }
  HttpResponse get(const std::string& method = "GET") {
    return testing::parts_of(
        answers_.answer(testing::request_of(method + " /api/v1/doctor"), false));
  }
  double age() { return nlohmann::json::parse(get().body.str()).at("age_seconds"); }

  std::function<Made()> make_ = [this]() -> Made {
    ++made_;
    now_ += std::chrono::seconds(3);
    return kHealthyMachine;
  };
  int made_ = 0;
  SteadyTime now_{std::chrono::hours(1)};
  BuildInfo build_{"1", "abc", "gcc", "linux", "x86_64"};
  SampleSlot slot_;
  ExporterRegistry registry_{build_, {}};
  Router router_{slot_, registry_, options()};
  HttpAnswers answers_{router_, {}};
};

TEST_F(DoctorRoute, SaysWhenItWasMadeAndHowLongItTook) {
  const HttpResponse response = get();
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.content_type, "application/json");
  EXPECT_THAT(response.headers, Contains(Pair("Cache-Control", "no-cache")));
  const auto document = nlohmann::json::parse(response.body.str());
  EXPECT_EQ(document["made_at"], "1970-01-01T00:00:00.0000000Z");
  EXPECT_EQ(document["duration_seconds"], 3);
  EXPECT_EQ(document["age_seconds"], 0);
  EXPECT_EQ(document["summary"]["failed"], 0);
}

TEST_F(DoctorRoute, IsGivenAgainForAMinute) {
  EXPECT_EQ(age(), 0);
  now_ += std::chrono::seconds(59);
  EXPECT_EQ(age(), 59);
  EXPECT_EQ(made_, 1);
  now_ += std::chrono::seconds(1);
  EXPECT_EQ(age(), 0);
  EXPECT_EQ(made_, 2);
}

TEST_F(DoctorRoute, IsForgottenWithTheConfigurationThatItShows) {
  EXPECT_EQ(age(), 0);
  router_.forget_diagnosis();
  EXPECT_EQ(age(), 0);
  EXPECT_EQ(made_, 2);
}

TEST_F(DoctorRoute, IsNotKeptIfTheConfigurationChangesMeanwhile) {
  make_ = [this]() -> Made {
    if (++made_ == 1) router_.forget_diagnosis();
    return kHealthyMachine;
  };
  EXPECT_EQ(get().status, 200);
  EXPECT_EQ(get().status, 200);
  EXPECT_EQ(made_, 2);
  EXPECT_EQ(get().status, 200);
  EXPECT_EQ(made_, 2);
}

TEST_F(DoctorRoute, MakesNoneForARequestWithoutABody) {
  EXPECT_EQ(get("HEAD").status, 200);
  EXPECT_EQ(made_, 0);
}

TEST_F(DoctorRoute, HasNoneOfARecording) {
  RouterOptions none = options();
  none.doctor = {};
  Router router(slot_, registry_, none);
  HttpAnswers answers(router, {});
  for (const char* const method : {"GET", "HEAD"}) {
    const auto response = testing::parts_of(
        answers.answer(testing::request_of(std::string(method) + " /api/v1/doctor"), false));
    EXPECT_EQ(response.status, 404);
    EXPECT_EQ(response.content_type, "application/problem+json");
  }
}

TEST_F(DoctorRoute, HasNoParameters) {
  const auto response = testing::parts_of(
      answers_.answer(testing::request_of("GET /api/v1/doctor?counterset=Memory"), false));
  EXPECT_EQ(response.status, 400);
  EXPECT_EQ(made_, 0);
}

TEST_F(DoctorRoute, SaysWhyThereIsNone) {
  make_ = []() -> Made {
    return std::unexpected(api::Problem{.status = 503, .detail = "the worker has crashed"});
  };
  const HttpResponse lost = get();
  EXPECT_EQ(lost.status, 503);
  EXPECT_EQ(lost.content_type, "application/problem+json");
  EXPECT_THAT(lost.headers, Contains(Pair("Retry-After", "10")));
  EXPECT_THAT(lost.body.str(), HasSubstr("the worker has crashed"));
  make_ = []() -> Made { return R"({"countersets": "<script>"})"; };
  now_ += std::chrono::seconds(9);
  EXPECT_THAT(get().body.str(), HasSubstr("the worker has crashed")) << "no worker was started";
  now_ += std::chrono::seconds(1);
  const HttpResponse unread = get();
  EXPECT_EQ(unread.status, 503);
  EXPECT_THAT(unread.body.str(), HasSubstr("the worker's answer is no diagnosis"));
  EXPECT_THAT(unread.body.str(), ::testing::Not(HasSubstr("script")));
  make_ = []() -> Made { return kHealthyMachine; };
  EXPECT_EQ(get().status, 503);
  router_.forget_diagnosis();
  EXPECT_EQ(get().status, 200) << "a reload forgets a failure, too";
}

TEST_F(DoctorRoute, IsMadeForOneClientAtATime) {
  testing::HeldWork held;
  make_ = [&]() -> Made {
    held.hold();
    return kHealthyMachine;
  };
  const auto [first, second] = held.while_held([&] { return get(); });
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(second.status, 429);
  EXPECT_EQ(second.content_type, "application/problem+json");
  EXPECT_THAT(second.headers, Contains(Pair("Retry-After", "10")));
  EXPECT_THAT(second.body.str(), HasSubstr("another diagnosis is being made"));
  make_ = []() -> Made { return std::unexpected(api::Problem{}); };
  EXPECT_EQ(get().status, 200) << "that of the first one";
}

TEST(KeptDiagnosis, IsGivenWhileAnotherOneIsBeingMade) {
  KeptDiagnosis kept;
  const SteadyTime now{std::chrono::hours(1)};
  kept.keep(std::make_shared<const api::MadeDiagnosis>(api::MadeDiagnosis{.finished = now}),
            kept.generation());
  const auto turn = kept.take_turn();
  ASSERT_TRUE(turn);
  EXPECT_NE(kept.fresh(now + std::chrono::seconds(59)), nullptr);
  EXPECT_EQ(kept.fresh(now + std::chrono::seconds(60)), nullptr);
}

}  // namespace
}  // namespace winperf
