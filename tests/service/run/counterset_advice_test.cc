// What the running service says about a counterset that fails: the doctor's sentence and repair.
#include "service/run/counterset_advice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace winperf {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class AdviceOnACounterset : public ::testing::Test {
 protected:
  AdviceOnACounterset() {
    state_.name = "Process";
    state_.interval = std::chrono::seconds(5);
  }
  api::Advice advice() const { return advice_on(state_, config_, source_); }
  api::Advice advice_on_error(ErrorCode code) {
    state_.error =
        Error{.code = code, .where = "registry.query", .actual = 10'500, .limit = 10'000};
    return advice();
  }
  bool has_command(const std::string& part) const {
    const api::Advice given = advice();
    return std::ranges::any_of(given.repair, [&](const api::RepairStep& step) {
      return step.command.find(part) != std::string::npos;
    });
  }
  bool has_text(const std::string& part) const {
    const api::Advice given = advice();
    return std::ranges::any_of(given.repair, [&](const api::RepairStep& step) {
      return step.text.find(part) != std::string::npos;
    });
  }
  void was_read_before(ObjectIndex index) {
    auto schema = std::make_shared<CountersetSchema>();
    schema->name = "Process";
    schema->index = index;
    auto sample = std::make_shared<CountersetSample>();
    sample->schema = schema;
    state_.sample = sample;
  }

  CountersetState state_;
  Config config_;
  SourceChoice source_;
};

TEST_F(AdviceOnACounterset, IsNoneIfNothingHasFailed) {
  EXPECT_EQ(advice().sentence, "");
  EXPECT_TRUE(advice().repair.empty());
}

TEST_F(AdviceOnACounterset, IsNoneIfWaitingIsAllThatHelps) {
  for (const ErrorCode code : {ErrorCode::kPending, ErrorCode::kWorkerStarting,
                               ErrorCode::kCancelled, ErrorCode::kEndOfCapture}) {
    EXPECT_EQ(advice_on_error(code).sentence, "") << name_of(code);
    EXPECT_TRUE(advice().repair.empty());
  }
}

TEST_F(AdviceOnACounterset, NamesWhatMayHaveBeenMeant) {
  state_.name = "Proces";
  state_.nearest = "Process";
  EXPECT_EQ(advice_on_error(ErrorCode::kNoSuchName).sentence,
            "no counterset on this machine is called \"Proces\"; did you mean \"Process\"?");
  EXPECT_TRUE(has_text("write \"Process\" instead"));
  EXPECT_TRUE(has_command("winperf_exporter list"));
}

TEST_F(AdviceOnACounterset, NamesAllConfiguredNames) {
  CountersetConfig entry;
  entry.label = "Process";
  entry.names = {"Process", "Process V2"};
  config_.countersets = {entry};
  state_.is_absent = true;
  EXPECT_EQ(advice_on_error(ErrorCode::kNotRegistered).sentence,
            "no counterset on this machine is called \"Process\" or \"Process V2\"");
}

TEST_F(AdviceOnACounterset, IsByTheRulesOfTheDoctor) {
  EXPECT_EQ(advice_on_error(ErrorCode::kTimedOut).sentence, "the query for \"Process\" timed out");
  EXPECT_TRUE(has_text("raise limits.query_timeout"));
  EXPECT_TRUE(has_command("winperf_exporter providers --try"));
  EXPECT_THAT(advice_on_error(ErrorCode::kWorkerCrashed).sentence,
              HasSubstr("ended its worker process"));
  EXPECT_EQ(advice_on_error(ErrorCode::kAccessDenied).sentence,
            "this account may not read performance counters");
  EXPECT_TRUE(has_command("Add-LocalGroupMember"));
  EXPECT_THAT(advice_on_error(ErrorCode::kBufferLimit).sentence,
              HasSubstr("larger than this program accepts"));
  EXPECT_TRUE(has_text("limits.max_reply_bytes"));
  EXPECT_THAT(advice_on_error(ErrorCode::kBadOffset).sentence, HasSubstr("is damaged"));
  EXPECT_THAT(advice_on_error(ErrorCode::kOsError).sentence,
              HasSubstr("the query for \"Process\" failed"));
  EXPECT_THAT(advice_on_error(ErrorCode::kNoSuchObject).sentence,
              HasSubstr("no provider delivers its counters"));
}

TEST_F(AdviceOnACounterset, HasTheIndexThatItWasReadWith) {
  was_read_before(ObjectIndex{230});
  EXPECT_EQ(advice_on_error(ErrorCode::kTimedOut).sentence,
            "the query for \"Process\" (index 230) timed out");
}

TEST_F(AdviceOnACounterset, NamesNoProviderThatItDoesNotKnow) {
  EXPECT_EQ(advice_on_error(ErrorCode::kNotRunning).sentence,
            "\"Process\" is registered, but the program that supplies it is not running");
  EXPECT_TRUE(has_text("start the program"));
}

TEST_F(AdviceOnACounterset, OfARecordingIsAboutTheRecording) {
  source_ = parse_source_choice("replay:a.zip").value();
  EXPECT_EQ(advice_on_error(ErrorCode::kNoSuchObject).sentence,
            "no sample of the recording contains \"Process\"");
  EXPECT_TRUE(has_command("winperf_exporter list --source replay:a.zip"));
  EXPECT_THAT(advice_on_error(ErrorCode::kNoSuchName).sentence, Not(HasSubstr("this machine")));
}

}  // namespace
}  // namespace winperf
