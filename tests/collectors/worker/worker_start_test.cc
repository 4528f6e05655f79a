// How a process comes up, in simulated time: that costs no call its deadline, and no provider its
// name.
#include <gmock/gmock.h>

#include "collectors/worker/worker.h"
#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf::worker {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::DoubleEq;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

constexpr Worker::Time kEver = Worker::Time::max();

// A call may take 10 s, a start 30 s.
class WorkerComesUp : public FakeWorkerTest {
 protected:
  static std::expected<void, Error> begin(Worker& worker) {
    return worker.begin({.operation = Operation::kQuery, .text = "2"}, "2", {});
  }
  static Error starting(std::uint64_t actual) {
    return {.code = ErrorCode::kWorkerStarting,
            .where = "registry.query",
            .actual = actual,
            .limit = 30'000};
  }
  void start_takes(std::chrono::nanoseconds time) { machine_.start_takes = time; }
  void end_at_start(std::optional<EndStatus> status) {
    machine_.at_start = [status](FakeProcess& process) { process.end_as(status); };
  }
};

TEST_F(WorkerComesUp, IsNoPartOfTheCallsTime) {
  start_takes(seconds(9));
  answer(seconds(10));
  Worker worker(machine_.options());
  const auto began = machine_.now;
  EXPECT_TRUE(ask(worker)) << "its deadline of 10 s begins when the process is up";
  EXPECT_EQ(machine_.now - began, seconds(19));
  EXPECT_THAT(worker.state().query_seconds, DoubleEq(10));
  EXPECT_THAT(worker.state().start_seconds, Optional(DoubleEq(9)));
  EXPECT_THAT(worker.state().ends, Each(0));
  EXPECT_THAT(worker.take_events(), IsEmpty());
}

TEST_F(WorkerComesUp, IsWaitedForAsLongAsACallMayTakeAndGoesOn) {
  start_takes(seconds(25));
  Worker worker(machine_.options());
  const auto began = machine_.now;
  EXPECT_EQ(ask(worker).error(), starting(10'000));
  EXPECT_EQ(machine_.now - began, seconds(10));
  EXPECT_TRUE(worker.is_running());
  EXPECT_FALSE(worker.is_pending());
  pass(seconds(1));
  EXPECT_EQ(ask(worker).error(), starting(11'000)) << "nobody waits for it twice";
  EXPECT_EQ(machine_.now - began, seconds(11));
  EXPECT_THAT(machine_.asked, IsEmpty());
  pass(seconds(14));
  EXPECT_TRUE(ask(worker)) << "the process has stayed";
  EXPECT_THAT(machine_.started, SizeIs(1));
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("2"));
  EXPECT_EQ(worker.state().queries, 1U);
  EXPECT_THAT(worker.state().ends, Each(0));
  EXPECT_THAT(worker.take_events(), IsEmpty());
}

TEST_F(WorkerComesUp, IsWaitedForUntilItsDeadlineByWhoHoldsUpNobody) {
  start_takes(seconds(29));
  WorkerOptions options = machine_.options();
  options.waits_for_start = true;
  Worker worker(options);
  EXPECT_TRUE(ask(worker));
  EXPECT_THAT(machine_.started, SizeIs(1));
}

TEST_F(WorkerComesUp, KeepsAPendingCallPending) {
  start_takes(seconds(2));
  Worker worker(machine_.options());
  ASSERT_TRUE(begin(worker));
  EXPECT_TRUE(worker.is_pending());
  const auto reply = worker.finish_by(machine_.now + milliseconds(200), {});
  EXPECT_EQ(
      reply.error(),
      (Error{
          .code = ErrorCode::kPending, .where = "registry.query", .actual = 200, .limit = 10'000}));
  EXPECT_TRUE(worker.is_pending());
  EXPECT_THAT(machine_.asked, IsEmpty());
  EXPECT_TRUE(worker.finish_by(kEver, {}));
  EXPECT_THAT(machine_.asked, SizeIs(1));
}

TEST_F(WorkerComesUp, ThatTakesTooLongIsEndedWithAReasonOfItsOwn) {
  start_takes(seconds(31));
  WorkerOptions options = machine_.options();
  options.waits_for_start = true;
  Worker worker(options);
  const Error late{.code = ErrorCode::kWorkerStartLate,
                   .where = "registry.query",
                   .actual = 30'000,
                   .limit = 30'000};
  EXPECT_EQ(ask(worker).error(), late);
  EXPECT_EQ(
      describe(late),
      "registry.query has no worker process, because none started in time: 30000 against 30000");
  EXPECT_FALSE(worker.is_running());
  EXPECT_EQ(machine_.running, nullptr);
  EXPECT_EQ(ends(worker, WorkerEnd::kStartLate), 1U);
  const auto events = worker.take_events();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(
      describe(events[0]),
      "process 101 was terminated because it did not start in time (30000 ms, limit 30000 ms)");
}

// A machine that is busy isn't made busier.
TEST_F(WorkerComesUp, ThatFailsIsTriedAgainLessAndLessOften) {
  start_takes(seconds(31));
  WorkerOptions options = machine_.options();
  options.waits_for_start = true;
  Worker worker(options);
  for (const int rest : {1, 2, 4, 8, 16, 32, 60, 60}) {
    ASSERT_EQ(ask(worker).error().code, ErrorCode::kWorkerStartLate);
    const std::size_t starts = machine_.started.size();
    pass(seconds(rest) - milliseconds(1));
    EXPECT_EQ(ask(worker).error().code, ErrorCode::kWorkerStartLate);
    EXPECT_THAT(machine_.started, SizeIs(starts));
    pass(milliseconds(1));
  }
  start_takes({});
  EXPECT_TRUE(ask(worker));
  EXPECT_EQ(worker.rests_until("2"), std::nullopt) << "no call was lost";
}

TEST_F(WorkerComesUp, ThatEndsIsTriedOnceMoreAtOnce) {
  end_at_start(EndStatus{.crashed = true, .code = 9});
  Worker worker(machine_.options());
  EXPECT_EQ(ask(worker).error(),
            (Error{.code = ErrorCode::kWorkerStart, .where = "registry.query", .os_code = 9}));
  EXPECT_THAT(machine_.started, SizeIs(2));
  EXPECT_EQ(ends(worker, WorkerEnd::kCrashed), 2U);
  const auto events = worker.take_events();
  ASSERT_THAT(events, SizeIs(1)) << "the second is no news";
  EXPECT_EQ(describe(events[0]), "process 101 crashed before it was ready (signal 9)");
  machine_.at_start = {};
  EXPECT_FALSE(ask(worker)) << "it rests";
  pass(seconds(1));
  EXPECT_TRUE(ask(worker));
}

TEST_F(WorkerComesUp, OfWhatIsNoWorkerFails) {
  machine_.at_start = [](FakeProcess& process) { process.then(Wake::kReply); };
  Worker worker(machine_.options());
  EXPECT_EQ(ask(worker).error().code, ErrorCode::kWorkerStart);
  EXPECT_EQ(ends(worker, WorkerEnd::kBadReply), 2U);
  EXPECT_THAT(machine_.asked, IsEmpty());
}

TEST_F(WorkerComesUp, IsEndedByAStop) {
  start_takes(seconds(5));
  Worker worker(machine_.options());
  ASSERT_TRUE(begin(worker));
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(worker.finish_by(kEver, stop.token()).error().code, ErrorCode::kCancelled);
  EXPECT_FALSE(worker.is_running());
  EXPECT_THAT(worker.state().ends, Each(0));
}

TEST_F(WorkerComesUp, IsNotWaitedForAtTheEnd) {
  start_takes(seconds(5));
  Worker worker(machine_.options());
  ASSERT_TRUE(begin(worker));
  const auto began = machine_.now;
  worker.finish();
  EXPECT_EQ(machine_.now, began);
  EXPECT_THAT(machine_.end_requests, IsEmpty()) << "it has no providers to close";
  EXPECT_EQ(machine_.running, nullptr);
}

// The replacement comes up while the call rests.
TEST_F(WorkerComesUp, OfAReplacementIsNotWaitedForIfItIsUpByThen) {
  Worker worker(machine_.options());
  crash();
  start_takes(seconds(3));
  machine_.at_start = [first = true](FakeProcess& process) mutable {
    process.come_up(std::exchange(first, false) ? seconds(0) : seconds(3));
  };
  ASSERT_FALSE(ask(worker));
  pass(seconds(4));
  answer();
  const auto began = machine_.now;
  EXPECT_TRUE(ask(worker));
  EXPECT_EQ(machine_.now, began);
}

}  // namespace
}  // namespace winperf::worker
