#include "service/targets/lane.h"

#include <gmock/gmock.h>

#include "config/hosts.h"
#include "tests/service/targets/fake_network.h"

namespace winperf {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using testing::FakeNetwork;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TargetSessionTest : public ::testing::Test {
 protected:
  explicit TargetSessionTest(const std::string& more = "") {
    const Config config = testing::config_with_targets("[{host: a, interval: 15s" + more + "}]");
    target_ = std::make_shared<Target>(
        TargetDescription{
            .host = "a", .module = "default", .config = config_of(config, config.targets.front())},
        MappingOptions{}, tools_.clocks.steady_now);
    session_.emplace(target_, tools_.make_worker(config, "1"), tools_, network_.clock().now());
  }

  // When it is due.
  bool step() {
    if (session_->due() > network_.clock().now())
      network_.clock().advance(session_->due() - network_.clock().now());
    return session_->step({});
  }
  std::chrono::seconds until_due() const {
    return std::chrono::duration_cast<std::chrono::seconds>(session_->due() -
                                                            network_.clock().now());
  }

  mutable FakeNetwork network_;
  const TargetTools tools_ = network_.tools();
  std::shared_ptr<Target> target_;
  std::optional<TargetSession> session_;
};

TEST_F(TargetSessionTest, SamplesWhatTheTargetHas_InItsInterval) {
  EXPECT_FALSE(target_->state().is_up);
  EXPECT_TRUE(step());
  const TargetState state = target_->state();
  EXPECT_EQ(state.is_up, true);
  EXPECT_EQ(state.attempts, 1U);
  EXPECT_EQ(state.failures, 0U);
  EXPECT_EQ(state.read_at, network_.clock().now());
  ASSERT_NE(target_->slot().latest(), nullptr);
  EXPECT_TRUE(target_->slot().latest()->countersets.front().success);
  EXPECT_EQ(until_due(), 15s);
  EXPECT_TRUE(step());
  EXPECT_EQ(target_->state().attempts, 2U);
  EXPECT_THAT(network_.asked("a"), ElementsAre(0, 15));
}

TEST_F(TargetSessionTest, ThatFails_IsTriedLaterEachTime) {
  network_.set("a", FakeNetwork::Conduct::kFails);
  std::vector<long> pauses;
  for (int i = 0; i < 7; ++i) {
    EXPECT_TRUE(step()) << "no process was lost";
    pauses.push_back(static_cast<long>(until_due().count()));
  }
  EXPECT_THAT(pauses, ElementsAre(15, 30, 60, 120, 240, 300, 300));
  TargetState state = target_->state();
  EXPECT_EQ(state.is_up, false);
  EXPECT_EQ(state.attempts, 7U);
  EXPECT_EQ(state.failures, 7U);
  EXPECT_EQ(state.lost_processes, 0U);
  EXPECT_FALSE(state.read_at);
  EXPECT_THAT(state.failure.text, HasSubstr("remote.connect"));
  EXPECT_EQ(state.failure.code, ErrorCode::kOsError);
  EXPECT_FALSE(session_->well_since());

  network_.set("a", FakeNetwork::Conduct::kAnswers);
  EXPECT_TRUE(step());
  state = target_->state();
  EXPECT_EQ(state.is_up, true);
  EXPECT_EQ(state.failure, TargetFailure());
  EXPECT_EQ(until_due(), 15s);
  network_.set("a", FakeNetwork::Conduct::kFails);
  EXPECT_TRUE(step());
  EXPECT_EQ(until_due(), 15s) << "the pauses begin anew";
}

TEST_F(TargetSessionTest, BeforeItsFirstSuccess_ClosesWhatItHasOpened) {
  network_.set("a", FakeNetwork::Conduct::kFails);
  EXPECT_TRUE(step());
  const auto closed = network_.released().size();
  EXPECT_GE(closed, 1U);
  network_.set("a", FakeNetwork::Conduct::kAnswers);
  EXPECT_TRUE(step());
  network_.set("a", FakeNetwork::Conduct::kFails);
  EXPECT_TRUE(step());
  EXPECT_EQ(network_.released().size(), closed) << "what it knows goes on";
  session_.reset();
  EXPECT_GT(network_.released().size(), closed) << "and is closed at the end";
}

TEST_F(TargetSessionTest, ThatCostsTheProcess_SaysSo) {
  EXPECT_TRUE(step());
  EXPECT_TRUE(session_->well_since());
  network_.set("a", FakeNetwork::Conduct::kHangs);
  EXPECT_FALSE(step());
  const TargetState state = target_->state();
  EXPECT_EQ(state.lost_processes, 1U);
  EXPECT_EQ(state.is_up, false);
  EXPECT_EQ(state.took, FakeNetwork::kHanging);
  EXPECT_THAT(state.failure.text, HasSubstr("timed out"));
  EXPECT_EQ(state.failure.code, ErrorCode::kTimedOut);
  EXPECT_FALSE(session_->well_since());
}

TEST_F(TargetSessionTest, ThatBeginsLate_SaysHowMuch) {
  EXPECT_TRUE(step());
  EXPECT_EQ(target_->state().late, 0s);
  network_.clock().advance(22s);
  EXPECT_TRUE(session_->step({}));
  EXPECT_EQ(target_->state().late, 7s);
}

TEST_F(TargetSessionTest, AfterAStop_ConcludesNothing) {
  StopSource stop;
  stop.request_stop();
  EXPECT_TRUE(session_->step(stop.token()));
  EXPECT_EQ(target_->state().attempts, 0U);
}

class PatternSessionTest : public TargetSessionTest {
 protected:
  PatternSessionTest() : TargetSessionTest(", countersets: [\"Sys*\"]") {}
};

TEST_F(PatternSessionTest, SamplesWhatThePatternStandsForThere) {
  EXPECT_TRUE(step());
  const auto sample = target_->slot().latest();
  ASSERT_NE(sample, nullptr);
  ASSERT_EQ(sample->countersets.size(), 1U);
  EXPECT_EQ(sample->countersets.front().name, "System");
  EXPECT_EQ(target_->state().is_up, true);
}

TEST_F(PatternSessionTest, WithoutAnAnswer_SaysWhyAndLooksAgain) {
  network_.set("a", FakeNetwork::Conduct::kFails);
  EXPECT_TRUE(step());
  EXPECT_EQ(target_->slot().latest(), nullptr);
  EXPECT_EQ(target_->state().is_up, false);
  EXPECT_THAT(target_->state().failure.text, HasSubstr("remote.connect"));
  network_.set("a", FakeNetwork::Conduct::kAnswers);
  EXPECT_TRUE(step());
  EXPECT_EQ(target_->state().is_up, true);
}

}  // namespace
}  // namespace winperf
