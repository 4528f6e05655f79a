// A call as the parent sees it: what is asked, what counts as an answer, how long it waits, and
// what is left when there is none. worker_rest_test.cc has what follows from losses,
// worker_limits_test.cc has the limits and what happens between calls.
#include "collectors/worker/worker.h"

#include <gmock/gmock.h>

#include "collectors/base/os_code.h"
#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf::worker {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using ::testing::DoubleEq;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Part = std::expected<std::vector<std::byte>, Error>;

class WorkerCall : public FakeWorkerTest {
 protected:
  // Whether these parts are taken as the answer to a request.
  bool takes(const Request& request, std::initializer_list<Part> parts) {
    machine_.provider = [&](FakeProcess& process, const Request&) { process.reply(parts); };
    Worker worker(machine_.options());
    const auto reply = worker.call(request, "call", {});
    if (reply) {
      EXPECT_THAT(worker.state().ends, Each(0));
      return true;
    }
    EXPECT_EQ(reply.error(),
              (Error{.code = ErrorCode::kWorkerReply, .where = where_of(request.operation)}));
    EXPECT_EQ(ends(worker, WorkerEnd::kBadReply), 1U);
    return false;
  }
};

TEST(WorkerLimits, AreTheseUnlessConfigured) {
  const WorkerLimits limits;
  EXPECT_EQ(limits.shortest_timeout, milliseconds(2'000));
  EXPECT_EQ(limits.longest_timeout, milliseconds(10'000));
  EXPECT_EQ(limits.longest_first_timeout, std::nullopt);
  EXPECT_EQ(limits.max_reply_bytes, 67'108'864U);
  EXPECT_EQ(limits.max_private_bytes, 536'870'912U);
  EXPECT_EQ(limits.max_handles, 10'000U);
  EXPECT_EQ(limits.max_threads, 500U);
}

TEST(WorkerTypes, AreNothingAtFirst) {
  EXPECT_EQ(WorkerCommand{}.shared_bytes, 0U);
  EXPECT_EQ(WorkerCommand{}.max_private_bytes, 0U);
  EXPECT_FALSE(EndStatus{}.crashed);
  EXPECT_EQ(EndStatus{}.code, 0U);
  EXPECT_EQ(Request{}.sequence, 0U);
  EXPECT_EQ(Request{}.time_ms, 0U);
  EXPECT_EQ(Reply{}.number, 0U);
}

TEST_F(WorkerCall, TheFirstOneStartsAProcess) {
  WorkerOptions options = machine_.options();
  options.limits.max_private_bytes = 77;
  Worker worker(options);
  EXPECT_FALSE(worker.is_running());
  EXPECT_EQ(worker.state().starts, 0U);
  EXPECT_EQ(worker.state().name, "registry");
  EXPECT_EQ(worker.state().process_id, 0U);
  EXPECT_THAT(machine_.started, IsEmpty());

  ASSERT_TRUE(ask(worker));
  EXPECT_TRUE(worker.is_running());
  EXPECT_EQ(worker.state().starts, 1U);
  EXPECT_EQ(worker.state().starts, 1U);
  EXPECT_EQ(worker.state().process_id, 101U);
  ASSERT_THAT(machine_.started, SizeIs(1));
  EXPECT_EQ(machine_.started[0].executable, "exporter");
  EXPECT_THAT(machine_.started[0].words, ElementsAre("worker", "registry"));
  EXPECT_EQ(machine_.started[0].shared_bytes, 4096U + 1'000U);
  EXPECT_EQ(machine_.started[0].max_private_bytes, 77U);

  ASSERT_TRUE(ask(worker));
  EXPECT_THAT(machine_.started, SizeIs(1));
  EXPECT_EQ(worker.state().starts, 1U);
}

TEST_F(WorkerCall, GivesTheRequestToTheProcessAndItsReplyBack) {
  machine_.provider = [](FakeProcess& process, const Request&) {
    process.reply_with(5, {bytes(3), bytes(2, 50)});
  };
  Worker worker(machine_.options());
  const auto reply = worker.call({.operation = Operation::kTextTables,
                                  .sequence = 99,
                                  .time_ms = 99,
                                  .numbers = {9, 10},
                                  .text = "text",
                                  .whose = "\1\2\3\4"},
                                 "call", {});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->number, 5U);
  ASSERT_THAT(reply->parts, SizeIs(2));
  EXPECT_THAT(*reply->parts[0], ElementsAreArray(bytes(3)));
  EXPECT_THAT(*reply->parts[1], ElementsAreArray(bytes(2, 50)));
  ASSERT_THAT(machine_.asked, SizeIs(1));
  const Request& request = machine_.asked[0];
  EXPECT_EQ(request.operation, Operation::kTextTables);
  EXPECT_THAT(request.numbers, ElementsAre(9, 10));
  EXPECT_EQ(request.text, "text");
  EXPECT_EQ(request.whose, "\1\2\3\4");
}

TEST_F(WorkerCall, HasANumberOfItsOwn) {
  Worker worker(machine_.options());
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(last_sequence(), 1U);
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(last_sequence(), 2U);
  worker.finish();
  ASSERT_THAT(machine_.end_requests, SizeIs(1));
  EXPECT_EQ(machine_.end_requests[0].sequence, 3U);
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(last_sequence(), 4U) << "in the next process, too";
}

TEST_F(WorkerCall, IsCountedWithItsTime) {
  Worker worker(machine_.options());
  answer(milliseconds(250));
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(worker.state().queries, 1U);
  EXPECT_THAT(worker.state().query_seconds, DoubleEq(0.25));
  answer(milliseconds(500));
  ASSERT_TRUE(ask(worker));
  crash(11, milliseconds(1'000));
  ASSERT_FALSE(ask(worker));
  EXPECT_EQ(worker.state().queries, 3U);
  EXPECT_THAT(worker.state().query_seconds, DoubleEq(1.75));
}

TEST_F(WorkerCall, ForBytesIsAnsweredWithOnePart) {
  for (const Operation operation :
       {Operation::kQuery, Operation::kEnumerateCountersets, Operation::kEnumerateInstances,
        Operation::kQueryRegistration, Operation::kOpenSet, Operation::kCollectSet,
        Operation::kDiagnose, Operation::kPdh}) {
    const Request request{.operation = operation};
    SCOPED_TRACE(where_of(operation));
    EXPECT_FALSE(takes(request, {}));
    EXPECT_TRUE(takes(request, {bytes(0)}));
    EXPECT_TRUE(takes(request, {bytes(1)}));
    EXPECT_TRUE(takes(request, {std::unexpected(Error{})}));
    EXPECT_FALSE(takes(request, {bytes(1), bytes(1)}));
  }
}

TEST_F(WorkerCall, ForTextTablesIsAnsweredWithAnyNumberOfParts) {
  const Request request{.operation = Operation::kTextTables};
  EXPECT_TRUE(takes(request, {}));
  EXPECT_TRUE(takes(request, {bytes(20)}));
  EXPECT_TRUE(takes(request, {bytes(1), std::unexpected(Error{}), bytes(20)}));
}

TEST_F(WorkerCall, ForAnEndOfSomethingNeedsNoPart) {
  for (const Operation operation : {Operation::kCloseSet, Operation::kRelease}) {
    EXPECT_TRUE(takes({.operation = operation}, {}));
    EXPECT_TRUE(takes({.operation = operation}, {bytes(1)}));
    EXPECT_TRUE(takes({.operation = operation}, {std::unexpected(Error{})}));
  }
}

TEST_F(WorkerCall, WithoutAReplyToItselfIsLost) {
  machine_.provider = [](FakeProcess& process, const Request&) { process.then(Wake::kReply); };
  Worker worker(machine_.options());
  const auto reply = ask(worker);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kWorkerReply);
  EXPECT_STREQ(reply.error().where, "registry.query");
  EXPECT_EQ(reply.error().limit, 0x46575057U) << "the reply's own error";
  EXPECT_EQ(ends(worker, WorkerEnd::kBadReply), 1U);
  EXPECT_THAT(machine_.started, SizeIs(2));
}

TEST_F(WorkerCall, ThatDoesNotFitInTheMemoryCostsNothing) {
  Worker worker(machine_.options());
  const std::string text(1'001, 't');
  const auto reply = worker.call({.operation = Operation::kQuery, .text = text}, "2", {});
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), (Error{.code = ErrorCode::kLimitExceeded,
                                  .where = "worker.request",
                                  .actual = 1'001,
                                  .limit = 1'000}));
  EXPECT_THAT(machine_.asked, IsEmpty());
  EXPECT_EQ(worker.state().queries, 0U);
  EXPECT_TRUE(worker.is_running());
  EXPECT_THAT(worker.take_events(), IsEmpty());
  EXPECT_TRUE(ask(worker));
}

TEST_F(WorkerCall, ThatIsNewMayTakeTheLongestTime) {
  hang();
  Worker worker(machine_.options());
  const auto began = machine_.now;
  const auto reply = ask(worker);
  ASSERT_FALSE(reply);
  EXPECT_EQ(last_time_ms(), 10'000U);
  EXPECT_EQ(machine_.now - began, milliseconds(10'000));
  EXPECT_EQ(reply.error(), (Error{.code = ErrorCode::kTimedOut,
                                  .where = "registry.query",
                                  .actual = 10'000,
                                  .limit = 10'000}));
  EXPECT_EQ(ends(worker, WorkerEnd::kTimedOut), 1U);
}

TEST_F(WorkerCall, MayTakeEightTimesItsUsualTime) {
  Worker worker(machine_.options());
  answer(milliseconds(200));
  ASSERT_TRUE(ask(worker));
  ASSERT_TRUE(ask(worker));
  hang();
  const auto began = machine_.now;
  const auto reply = ask(worker);
  EXPECT_EQ(last_time_ms(), 1'600U);
  EXPECT_EQ(machine_.now - began, milliseconds(1'600));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().actual, 1'600U);
  EXPECT_EQ(reply.error().limit, 1'600U);
  ASSERT_FALSE(ask(worker, "3"));
  EXPECT_EQ(last_time_ms(), 10'000U) << "each call has its own";
}

TEST_F(WorkerCall, MayBeAnsweredAtTheLastMoment) {
  Worker worker(machine_.options());
  answer(milliseconds(10'000));
  EXPECT_TRUE(ask(worker));
  answer(milliseconds(10'000) + nanoseconds(1));
  EXPECT_EQ(ask(worker).error().code, ErrorCode::kTimedOut);
}

TEST_F(WorkerCall, InANewProcessMayTakeAsLongAsTheFirstOnesBefore) {
  Worker worker(machine_.options());
  answer(milliseconds(500));
  ASSERT_TRUE(ask(worker));
  answer(milliseconds(200));
  ASSERT_TRUE(ask(worker));
  worker.finish();
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(last_time_ms(), 4'000U);
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(last_time_ms(), 1'600U);
}

TEST_F(WorkerCall, ThatMissedItsDeadlineHasTheLongestAndThenHalf) {
  Worker worker(machine_.options());
  hang();
  for (const unsigned expected : {10'000U, 5'000U, 2'500U, 1'250U, 1'000U, 1'000U}) {
    ASSERT_FALSE(ask(worker));
    EXPECT_EQ(last_time_ms(), expected);
    pass(std::chrono::minutes(2));
  }
}

TEST_F(WorkerCall, ThatIsLostOtherwiseMissesNoDeadline) {
  Worker worker(machine_.options());
  crash();
  for (int i = 0; i < 3; ++i) {
    ASSERT_FALSE(ask(worker));
    EXPECT_EQ(last_time_ms(), 10'000U);
    pass(std::chrono::minutes(2));
  }
}

// Its time would say how long the provider lets others wait, not how long it takes.
TEST_F(WorkerCall, WithAPartThatWasLateOrBusySaysNothingAboutItsUsualTime) {
  struct Row {
    ErrorCode code;
    std::uint64_t next;
  };
  for (const Row& row : {Row{ErrorCode::kTimedOut, 10'000}, Row{ErrorCode::kBusy, 10'000},
                         Row{ErrorCode::kNoSuchObject, 1'600}}) {
    for (const bool has_another : {false, true}) {
      machine_.provider = [&](FakeProcess& process, const Request&) {
        const Part part = std::unexpected(Error{.code = row.code});
        if (has_another)
          process.reply({bytes(1), part}, milliseconds(200));
        else
          process.reply({part}, milliseconds(200));
      };
      Worker worker(machine_.options());
      for (int i = 0; i < 3; ++i)
        ASSERT_TRUE(worker.call({.operation = Operation::kTextTables}, "call", {}));
      EXPECT_EQ(last_time_ms(), row.next) << name_of(row.code) << has_another;
    }
  }
}

}  // namespace
}  // namespace winperf::worker
