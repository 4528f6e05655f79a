#include "collectors/sampling/perflib/perflib_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "tests/collectors/sampling/perflib/fake_perflib.h"

namespace winperf {
namespace {

using ::testing::ElementsAre;
using testing::FakePerflib;
using ::testing::SizeIs;

v2::CounterRequest counter(std::uint32_t id, std::u16string instance = u"*") {
  return {.counterset = {}, .counter_id = id, .instance_name = std::move(instance)};
}

class SessionTest : public ::testing::Test {
 protected:
  std::uint32_t status(PerflibSession::Ticket ticket) {
    const auto answer = session_.answer(ticket);
    return answer ? answer->result.status() : 0;
  }
  ErrorCode error(PerflibSession::Ticket ticket) {
    const auto answer = session_.answer(ticket);
    EXPECT_FALSE(answer);
    return answer ? ErrorCode::kTruncated : answer.error().code;
  }

  FakePerflib api_;
  PerflibSession session_{api_.source};
};

TEST_F(SessionTest, OneCallAnswersARoundAndEachRequestGetsItsResult) {
  const auto first = session_.subscribe(counter(1));
  const auto second = session_.subscribe(counter(2));
  EXPECT_EQ(status(first), 1001U);
  EXPECT_EQ(status(second), 1002U);
  EXPECT_EQ(api_.asked, 1);
  session_.begin_round();
  EXPECT_EQ(status(second), 1002U);
  EXPECT_EQ(api_.asked, 2);
  EXPECT_EQ(api_.listed, 1) << "nothing has changed";
}

TEST_F(SessionTest, EqualRequestsShareATicketUntilBothAreWithdrawn) {
  const auto one = session_.subscribe(counter(1, u"a*"));
  EXPECT_EQ(session_.subscribe(counter(1, u"A*")), one) << "names have no case";
  EXPECT_NE(session_.subscribe(counter(1, u"b*")), one);
  status(one);
  const auto other = session_.subscribe(counter(1, u"b*"));
  session_.unsubscribe(one);
  status(other);
  EXPECT_THAT(api_.requests(), SizeIs(2));
  session_.unsubscribe(one);
  status(other);
  EXPECT_THAT(api_.requests(), SizeIs(1));
}

TEST_F(SessionTest, ARefusedRequestCostsOnlyItselfAndIsTriedAgain) {
  api_.refused[2] = OsCode::kPathNotFound;
  const auto good = session_.subscribe(counter(1));
  const auto bad = session_.subscribe(counter(2));
  EXPECT_EQ(status(good), 1001U);
  EXPECT_EQ(error(bad), ErrorCode::kNotRunning);
  api_.refused.clear();
  session_.begin_round();
  EXPECT_EQ(status(bad), 1002U);
  EXPECT_EQ(status(good), 1001U);
}

TEST_F(SessionTest, AFailedHandleIsOpenedAgainInTheNextRound) {
  const auto ticket = session_.subscribe(counter(1));
  api_.data_status = OsCode::kAccessDenied;
  EXPECT_EQ(error(ticket), ErrorCode::kAccessDenied);
  EXPECT_EQ(api_.closed, 1);
  EXPECT_EQ(error(ticket), ErrorCode::kAccessDenied);
  EXPECT_EQ(api_.asked, 1) << "not again in the same round";
  api_.data_status = OsCode::kSuccess;
  session_.begin_round();
  EXPECT_EQ(status(ticket), 1001U);
  EXPECT_EQ(api_.opened, 2);
}

// As by a worker that was replaced. The request that is left out was the session's only one.
TEST_F(SessionTest, AHandleThatIsGoneIsOpenedAgainForAnEarlierRequestAndForTheFirst) {
  const auto early = session_.subscribe(counter(1));
  EXPECT_EQ(status(early), 1001U);
  api_.added.clear();
  session_.begin_round();
  EXPECT_EQ(status(early), 1001U);
  EXPECT_EQ(api_.opened, 2);
  session_.unsubscribe(early);
  api_.added.clear();
  session_.begin_round();
  const auto first = session_.subscribe(counter(2));
  EXPECT_EQ(status(first), 1002U);
  EXPECT_EQ(api_.opened, 3);
}

// A worker whose process is lost when a set with one of some requests is opened, because it hangs.
// The same set then rests: it fails without a loss.
class LosingSource final : public PerflibSource {
 public:
  explicit LosingSource(FakePerflib& api) : api_(api) {}

  std::expected<std::vector<Guid>, Error> countersets() override {
    return api_.source.countersets();
  }
  std::expected<Bytes, Error> instances(const Guid& guid) override {
    return api_.source.instances(guid);
  }
  std::expected<Bytes, Error> registration(const Guid& guid, RegistrationInfo info,
                                           std::uint32_t argument) override {
    return api_.source.registration(guid, info, argument);
  }
  PerflibSet new_set() override { return api_.source.new_set(); }
  std::expected<std::vector<ResultPlace>, Error> open(
      PerflibSet set, std::span<const v2::CounterRequest> requests) override {
    std::set<std::uint32_t> asked;
    for (const auto& request : requests) asked.insert(request.counter_id);
    if (resting.contains(asked)) return std::unexpected(kLost);
    const auto hangs = [this](std::uint32_t id) { return hanging.contains(id); };
    if (std::ranges::none_of(asked, hangs)) return api_.source.open(set, requests);
    ++lost;
    resting.insert(asked);
    api_.added.clear();  // the handles of the process that is gone
    return std::unexpected(kLost);
  }
  std::expected<Bytes, Error> collect(PerflibSet set) override { return api_.source.collect(set); }
  void close(PerflibSet set) override { api_.source.close(set); }
  std::uint64_t losses() const override { return lost; }

  static constexpr Error kLost{.code = ErrorCode::kTimedOut, .where = "worker"};
  std::set<std::uint32_t> hanging;
  std::set<std::set<std::uint32_t>> resting;
  std::uint64_t lost = 0;

 private:
  FakePerflib& api_;
};

class LosingSessionTest : public SessionTest {
 protected:
  PerflibSession::Ticket subscribe(std::uint32_t id) {
    return tickets_.emplace_back(losing_.subscribe(counter(id)));
  }
  // What a round says of each request: its result's status, or 0.
  std::vector<std::uint32_t> round() {
    losing_.begin_round();
    std::vector<std::uint32_t> said;
    for (const auto ticket : tickets_) {
      const auto answer = losing_.answer(ticket);
      said.push_back(answer ? answer->result.status() : 0);
      EXPECT_TRUE(answer || answer.error() == LosingSource::kLost);
    }
    return said;
  }

  LosingSource source_{api_};
  PerflibSession losing_{source_};
  std::vector<PerflibSession::Ticket> tickets_;
};

TEST_F(LosingSessionTest, ARequestThatHangsWhenItIsAddedIsLeftOutUntilItDoesNot) {
  source_.hanging = {2};
  for (const std::uint32_t id : {1U, 2U, 3U}) subscribe(id);
  EXPECT_THAT(round(), ElementsAre(0, 0, 0)) << "all at once";
  EXPECT_THAT(round(), ElementsAre(0, 0, 0)) << "one by one";
  EXPECT_EQ(source_.lost, 2U);
  EXPECT_TRUE(losing_.leaves_out());
  EXPECT_THAT(round(), ElementsAre(1001, 0, 1003)) << "without it";
  EXPECT_EQ(source_.lost, 3U) << "it was tried alone";
  EXPECT_THAT(round(), ElementsAre(1001, 0, 1003)) << "the others are opened anew at once";
  EXPECT_EQ(source_.lost, 3U) << "it rests";
  source_.hanging = {};
  source_.resting = {};
  EXPECT_THAT(round(), ElementsAre(1001, 0, 1003));
  EXPECT_FALSE(losing_.leaves_out());
  EXPECT_THAT(round(), ElementsAre(1001, 1002, 1003));
  const int asked = api_.asked, opened = api_.opened;
  EXPECT_THAT(round(), ElementsAre(1001, 1002, 1003));
  EXPECT_EQ(api_.asked, asked + 1);
  EXPECT_EQ(api_.opened, opened) << "in one set again";
}

TEST_F(LosingSessionTest, OfSeveralThatHangEachReturnsByItself) {
  source_.hanging = {1, 2};
  for (const std::uint32_t id : {1U, 2U}) subscribe(id);
  for (int i = 0; i < 4; ++i) round();
  EXPECT_THAT(round(), ElementsAre(0, 0));
  source_.hanging = {2};
  source_.resting = {};
  round();
  EXPECT_THAT(round(), ElementsAre(1001, 0)) << "however long the other one hangs";
  source_.hanging = {};
  source_.resting = {};
  round();
  EXPECT_THAT(round(), ElementsAre(1001, 1002));
}

TEST_F(LosingSessionTest, WhatOnlyRestsAccusesNoRequest) {
  source_.hanging = {2};
  for (const std::uint32_t id : {1U, 2U}) subscribe(id);
  EXPECT_THAT(round(), ElementsAre(0, 0));
  source_.hanging = {};  // but all together still rest
  EXPECT_THAT(round(), ElementsAre(1001, 0));
  EXPECT_FALSE(losing_.leaves_out());
  EXPECT_EQ(source_.lost, 1U);
  source_.resting = {};
  EXPECT_THAT(round(), ElementsAre(1001, 1002));
}

TEST_F(LosingSessionTest, ARequestThatIsLeftOutIsWithdrawnLikeOthers) {
  source_.hanging = {2};
  const auto bad = subscribe(2);
  const auto good = subscribe(1);
  for (int i = 0; i < 2; ++i) round();
  EXPECT_THAT(round(), ElementsAre(0, 1001));
  tickets_.erase(tickets_.begin());
  losing_.unsubscribe(bad);
  EXPECT_FALSE(losing_.leaves_out());
  const std::uint64_t lost = source_.lost;
  EXPECT_THAT(round(), ElementsAre(1001));
  EXPECT_EQ(source_.lost, lost);
  losing_.unsubscribe(good);
  EXPECT_TRUE(losing_.empty());
  EXPECT_EQ(api_.added.size(), 0U) << "nothing is left open";
}

TEST_F(LosingSessionTest, OfOneRequestNoneIsLeftOut) {
  source_.hanging = {2};
  subscribe(2);
  EXPECT_THAT(round(), ElementsAre(0));
  EXPECT_EQ(losing_.round_error(), LosingSource::kLost);
  source_.hanging = {};
  source_.resting = {};
  EXPECT_THAT(round(), ElementsAre(1002));
}

TEST_F(SessionTest, ACorruptAnswerLeavesTheHandleOpen) {
  const auto ticket = session_.subscribe(counter(1));
  api_.spoils_data = true;
  EXPECT_EQ(error(ticket), ErrorCode::kTruncated);
  api_.spoils_data = false;
  session_.begin_round();
  EXPECT_EQ(status(ticket), 1001U);
  EXPECT_EQ(api_.opened, 1);
}

TEST_F(SessionTest, AHandleThatKeepsARequestIsReplaced) {
  const auto first = session_.subscribe(counter(1));
  const auto second = session_.subscribe(counter(2));
  status(first);
  api_.remove_status = OsCode::kInvalidParameter;
  session_.unsubscribe(first);
  EXPECT_EQ(status(second), 1002U);
  EXPECT_EQ(api_.closed, 1);
  EXPECT_THAT(api_.requests(), SizeIs(1));
}

TEST_F(SessionTest, ARequestThatTheSystemSaysItKeepsReplacesTheHandleToo) {
  const auto first = session_.subscribe(counter(1));
  const auto second = session_.subscribe(counter(2));
  status(first);
  api_.not_removed[1] = OsCode::kInvalidParameter;  // the call itself succeeds
  session_.unsubscribe(first);
  EXPECT_EQ(status(second), 1002U);
  EXPECT_EQ(api_.closed, 1);
  EXPECT_THAT(api_.requests(), ElementsAre(counter(2)));
}

TEST_F(SessionTest, ARequestThatIsWithdrawnLeavesTheHandleToTheOthers) {
  const auto first = session_.subscribe(counter(1));
  const auto second = session_.subscribe(counter(2));
  status(first);
  session_.unsubscribe(first);
  EXPECT_EQ(status(second), 1002U) << "its result is in another place now";
  EXPECT_EQ(api_.closed, 0);
  EXPECT_EQ(api_.listed, 2);
  EXPECT_EQ(api_.opened, 1);
}

TEST_F(SessionTest, ARequestThatWasNeverAddedIsWithdrawnWithoutTheSystem) {
  api_.refused[1] = OsCode::kPathNotFound;
  api_.remove_status = OsCode::kInvalidParameter;
  const auto first = session_.subscribe(counter(1));
  const auto second = session_.subscribe(counter(2));
  EXPECT_EQ(error(first), ErrorCode::kNotRunning);
  session_.unsubscribe(first);
  EXPECT_EQ(status(second), 1002U);
  EXPECT_EQ(api_.closed, 0);
  session_.unsubscribe(second);
  EXPECT_TRUE(session_.empty());
  EXPECT_EQ(api_.closed, 1) << "a set of nothing isn't left open";
}

TEST_F(SessionTest, RequestsAreToldApartByEveryPart) {
  v2::CounterRequest other_set = counter(1), other_id = counter(1);
  other_set.counterset = Guid{{7}};
  other_id.instance_id = 7;
  const auto one = session_.subscribe(counter(1));
  for (const v2::CounterRequest& request :
       {other_set, counter(2), other_id, counter(1, u"b*"), counter(1, u"")})
    EXPECT_NE(session_.subscribe(request), one);
  EXPECT_EQ(session_.subscribe(counter(1)), one);
}

TEST_F(SessionTest, EachOfSeveralAnswersIsThatOfItsRequest) {
  std::vector<v2::CounterRequest> requests{counter(1), counter(2), counter(1, u"b"), counter(3)};
  requests[2].counter_id = 4;
  std::vector<PerflibSession::Ticket> tickets;
  for (const auto& request : requests) tickets.push_back(session_.subscribe(request));
  for (std::size_t i = 0; i < requests.size(); ++i)
    EXPECT_EQ(status(tickets[i]), 1000 + requests[i].counter_id);
}

TEST_F(SessionTest, ANewRequestIsAnsweredInTheSameRound) {
  const auto first = session_.subscribe(counter(1));
  EXPECT_EQ(status(first), 1001U);
  const auto second = session_.subscribe(counter(2));
  EXPECT_EQ(status(second), 1002U);
  EXPECT_EQ(api_.asked, 2);
}

TEST_F(SessionTest, AnIdentifierThatIsThereAlreadyIsThere) {
  const auto ticket = session_.subscribe(counter(1));
  status(ticket);
  api_.refused[2] = OsCode::kAlreadyExists;
  const auto twin = session_.subscribe(counter(2));
  EXPECT_EQ(error(twin), ErrorCode::kBadCount) << "it has no result of its own";
  EXPECT_EQ(status(ticket), 1001U);
}

// What counts is whether the call has succeeded.
TEST_F(SessionTest, AnIdentifierThatCanNotBeReadBackIsAddedAndRemovedAllTheSame) {
  api_.spoils_identifiers = true;
  const auto first = session_.subscribe(counter(1));
  const auto second = session_.subscribe(counter(2));
  EXPECT_EQ(status(first), 1001U);
  session_.unsubscribe(first);
  EXPECT_EQ(api_.closed, 0);
  EXPECT_EQ(status(second), 1002U);
  EXPECT_EQ(api_.opened, 1);
}

TEST_F(SessionTest, WhatTheSystemRefusesHasTheSystemsReason) {
  struct Row {
    OsCode call, status;
    ErrorCode expected;
  };
  for (const Row& row : {Row{OsCode::kAccessDenied, OsCode::kSuccess, ErrorCode::kAccessDenied},
                         Row{OsCode::kSuccess, OsCode::kAccessDenied, ErrorCode::kAccessDenied},
                         Row{OsCode::kSuccess, OsCode::kGuidNotFound, ErrorCode::kNotRegistered},
                         Row{OsCode::kSuccess, OsCode::kInvalidParameter, ErrorCode::kOsError}}) {
    api_.add_status = row.call;
    api_.refused[1] = row.status;
    const auto ticket = session_.subscribe(counter(1));
    EXPECT_EQ(error(ticket), row.expected);
    EXPECT_EQ(api_.asked, 0) << "there is nothing to ask for";
    session_.unsubscribe(ticket);
  }
}

TEST_F(SessionTest, AFailureToOpenOrToListIsTheRoundsError) {
  const auto ticket = session_.subscribe(counter(1));
  api_.open_status = OsCode::kAccessDenied;
  EXPECT_EQ(error(ticket), ErrorCode::kAccessDenied);
  api_.open_status = OsCode::kSuccess;
  api_.info_status = OsCode::kNotSupported;
  session_.begin_round();
  EXPECT_EQ(error(ticket), ErrorCode::kUnsupported);
  EXPECT_EQ(api_.closed, 1);
  api_.info_status = OsCode::kSuccess;
  session_.begin_round();
  EXPECT_EQ(status(ticket), 1001U);
}

TEST_F(SessionTest, AnAnswerHasTheReplysClocksAndSize) {
  api_.now = {.perf_time = 11, .perf_frequency = 12, .time_100ns = 13};
  const auto ticket = session_.subscribe(counter(1));
  const auto answer = session_.answer(ticket);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->clocks.perf_time.ticks, 11);
  EXPECT_EQ(answer->clocks.perf_frequency.ticks_per_second, 12);
  EXPECT_EQ(answer->clocks.time_100ns.ticks, 13);
  constexpr std::size_t kHeader = 48, kErrorResult = 16;
  EXPECT_EQ(answer->bytes, kHeader + kErrorResult);
  EXPECT_FALSE(answer->padding_left_out);
}

TEST_F(SessionTest, ARequestThatTheReplyOrTheListLacksHasNoAnswer) {
  const auto lacks_its_result_among = [](std::uint64_t results) {
    return Error{.code = ErrorCode::kBadCount, .where = "v2.result", .actual = 0, .limit = results};
  };
  const auto first = session_.subscribe(counter(1));
  EXPECT_EQ(status(first), 1001U);
  api_.results_left_out = 1;
  session_.begin_round();
  EXPECT_EQ(session_.answer(first).error(), lacks_its_result_among(0));
  api_.results_left_out = 0;
  // Its old place is another request's now.
  api_.not_listed = {1};
  const auto second = session_.subscribe(counter(2));
  EXPECT_EQ(session_.answer(first).error(), lacks_its_result_among(2));
  EXPECT_EQ(status(second), 1002U);
}

// The list may have been damaged once.
TEST_F(SessionTest, APlaceThatIsNotKnownIsAskedForAgainInEachRound) {
  const auto first = session_.subscribe(counter(1));
  const auto second = session_.subscribe(counter(2));
  api_.not_listed = {1};
  EXPECT_EQ(error(first), ErrorCode::kBadCount);
  api_.not_listed.clear();
  session_.begin_round();
  EXPECT_EQ(status(first), 1001U);
  EXPECT_EQ(status(second), 1002U);
  EXPECT_EQ(api_.listed, 2);
  session_.begin_round();
  EXPECT_EQ(status(first), 1001U);
  EXPECT_EQ(api_.listed, 2);
}

TEST_F(SessionTest, AResultThatNobodyHasAskedForIsIgnored) {
  const auto first = session_.subscribe(counter(1));
  const auto second = session_.subscribe(counter(2));
  api_.results_too_many = 2;
  EXPECT_EQ(status(first), 1001U);
  EXPECT_EQ(status(second), 1002U);
}

TEST_F(SessionTest, AListThatEndsTooEarlyIsTheRoundsError) {
  const auto ticket = session_.subscribe(counter(1));
  api_.spoils_info = true;
  EXPECT_EQ(error(ticket), ErrorCode::kTruncated);
  EXPECT_EQ(api_.asked, 0);
  api_.spoils_info = false;
  session_.begin_round();
  EXPECT_EQ(status(ticket), 1001U);
}

TEST_F(SessionTest, PaddingBetweenResultsIsReportedToo) {
  const simulator::CountersetDefinition set{.counters = {{.id = 1}}};
  api_.padding = simulator::Padding::kBetweenResults;
  api_.result = [&](const v2::CounterRequest&) {
    return simulator::table_result({.counterset = set,
                                    .columns = {0},
                                    .rows = {{.values = {7}}},
                                    .has_instances = false,
                                    .padding = simulator::Padding::kBetweenResults});
  };
  const auto first = session_.subscribe(counter(1));
  const auto second = session_.subscribe(counter(2));
  for (const auto ticket : {first, second}) {
    const auto answer = session_.answer(ticket);
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->padding_left_out);
    EXPECT_FALSE(answer->result.padding_left_out()) << "within, there is none";
  }
}

TEST_F(SessionTest, PaddingThatASizeLeavesOutIsReportedWithTheAnswer) {
  const simulator::CountersetDefinition set{.counters = {{.id = 1}}};
  api_.result = [&set](const v2::CounterRequest&) {
    return simulator::table_result({.counterset = set,
                                    .columns = {0},
                                    .rows = {{.values = {7}}},
                                    .has_instances = false,
                                    .padding = simulator::Padding::kLeftOut});
  };
  const auto ticket = session_.subscribe(counter(1));
  const auto answer = session_.answer(ticket);
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->padding_left_out);
}

}  // namespace
}  // namespace winperf
