// A call in two steps: how long it is waited for, what happens meanwhile, and how it ends.
#include <gmock/gmock.h>

#include "collectors/worker/worker.h"
#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf::worker {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr nanoseconds kOne{1};

class PendingCall : public FakeWorkerTest {
 protected:
  std::expected<void, Error> begin(Worker& worker, std::string_view name = "2",
                                   const StopToken& stop = {}) {
    return worker.begin({.operation = Operation::kQuery, .text = std::string(name)}, name, stop);
  }
  // Waits for so long.
  std::expected<Reply, Error> wait(Worker& worker, nanoseconds time, const StopToken& stop = {}) {
    return worker.finish_by(machine_.now + time, stop);
  }
  static Error pending(std::uint64_t actual, std::uint64_t limit) {
    return {
        .code = ErrorCode::kPending, .where = "registry.query", .actual = actual, .limit = limit};
  }
};

TEST_F(PendingCall, BeginsWithoutAWait) {
  Worker worker(machine_.options());
  EXPECT_FALSE(worker.is_pending());
  const auto before = machine_.now;
  answer(milliseconds(300));
  ASSERT_TRUE(begin(worker));
  EXPECT_TRUE(worker.is_pending());
  EXPECT_EQ(machine_.now, before);
  EXPECT_THAT(machine_.waits, IsEmpty());
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("2"));
  EXPECT_EQ(worker.state().queries, 0U);

  const auto reply = worker.finish_by(Worker::Time::max(), {});
  ASSERT_TRUE(reply);
  EXPECT_THAT(*reply->parts.at(0), ElementsAreArray(bytes(3)));
  EXPECT_FALSE(worker.is_pending());
  EXPECT_EQ(machine_.now - before, milliseconds(300));
  EXPECT_EQ(worker.state().queries, 1U);
  EXPECT_DOUBLE_EQ(worker.state().query_seconds, 0.3);
}

TEST_F(PendingCall, ThatWasAnsweredLongAgoTookAsLongAsItsWorkerSays) {
  Worker worker(machine_.options());
  answer(milliseconds(100));
  ASSERT_TRUE(begin(worker));
  pass(milliseconds(900));
  ASSERT_TRUE(worker.finish_by(Worker::Time::max(), {}));
  EXPECT_DOUBLE_EQ(worker.state().query_seconds, 0.1);
}

TEST_F(PendingCall, NeverTookLongerThanItWasPending) {
  Worker worker(machine_.options());
  machine_.provider = [](FakeProcess& process, const Request&) {
    process.reply({bytes(1)});
    write_time(process.shared(), std::chrono::hours(1));
  };
  ASSERT_TRUE(begin(worker));
  pass(milliseconds(200));
  ASSERT_TRUE(worker.finish_by(Worker::Time::max(), {}));
  EXPECT_DOUBLE_EQ(worker.state().query_seconds, 0.2) << "a worker may say what it likes";
}

TEST_F(PendingCall, IsWaitedForUntilThen) {
  Worker worker(machine_.options());
  answer(milliseconds(100));
  ASSERT_TRUE(begin(worker));
  EXPECT_EQ(wait(worker, milliseconds(100) - kOne).error().code, ErrorCode::kPending);
  EXPECT_THAT(machine_.waits, ElementsAre(milliseconds(100) - kOne));
  EXPECT_TRUE(worker.is_pending());
  EXPECT_TRUE(wait(worker, kOne));
  ASSERT_TRUE(begin(worker));
  pass(milliseconds(500));
  EXPECT_TRUE(wait(worker, -milliseconds(400))) << "it had come before";
}

TEST_F(PendingCall, SaysHowLongItTakesAndMayTake) {
  Worker worker(machine_.options());
  hang();
  ASSERT_TRUE(begin(worker));
  EXPECT_EQ(wait(worker, milliseconds(0)).error(), pending(0, 10'000));
  EXPECT_EQ(wait(worker, milliseconds(700)).error(), pending(700, 10'000));
  pass(milliseconds(1'000));
  EXPECT_EQ(wait(worker, milliseconds(0)).error(), pending(1'700, 10'000));
  EXPECT_EQ(worker.state().queries, 0U);
  EXPECT_THAT(worker.state().ends, Each(0));
}

// Its reply may have been there for long.
TEST_F(PendingCall, ThatWasLeftAloneTookAsLongAsTheWorkerSays) {
  const auto deadline_after = [this](milliseconds busy, milliseconds left_alone) {
    Worker worker(machine_.options());
    answer(busy);
    EXPECT_TRUE(begin(worker));
    pass(left_alone);
    EXPECT_TRUE(wait(worker, milliseconds(0)));
    hang();
    EXPECT_TRUE(begin(worker));
    return wait(worker, milliseconds(0)).error().limit;
  };
  EXPECT_EQ(deadline_after(milliseconds(200), milliseconds(200)), 1'600U);
  EXPECT_EQ(deadline_after(milliseconds(200), milliseconds(5'000)), 1'600U);
}

// The deadline would be as long as it wants.
TEST_F(PendingCall, TookNoLongerThanItWasWaitedForWhateverTheWorkerSays) {
  Worker worker(machine_.options());
  machine_.provider = [](FakeProcess& process, const Request&) {
    process.reply({bytes(4)}, milliseconds(200));
    write_time(process.shared(), milliseconds(1'000));
  };
  ASSERT_TRUE(ask(worker));
  ASSERT_TRUE(ask(worker));
  hang();
  ASSERT_TRUE(begin(worker));
  EXPECT_EQ(wait(worker, milliseconds(0)).error().limit, 1'600U);
}

// As when a laptop sleeps, or a virtual machine is moved.
TEST_F(PendingCall, IsNotLateBecauseTheMachineStoodStill) {
  Worker worker(machine_.options());
  answer(std::chrono::hours(1) + milliseconds(5'000));
  machine_.stands_still = std::chrono::hours(1);
  ASSERT_TRUE(ask(worker));
  EXPECT_DOUBLE_EQ(worker.state().query_seconds, 5.0);
  EXPECT_EQ(machine_.started.size(), 1U);
  answer(milliseconds(200));
  ASSERT_TRUE(ask(worker));
  hang();
  ASSERT_TRUE(begin(worker));
  EXPECT_EQ(wait(worker, milliseconds(0)).error().limit, 1'600U) << "what is usual stays so";
}

TEST_F(PendingCall, IsLateByItsOwnTime) {
  Worker worker(machine_.options());
  hang();
  machine_.stands_still = std::chrono::hours(1);
  const auto before = machine_.now;
  const auto lost = ask(worker);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::kTimedOut);
  EXPECT_EQ(lost.error().actual, 10'000U);
  EXPECT_EQ(machine_.now - before, std::chrono::hours(1) + milliseconds(10'000));
}

TEST_F(PendingCall, OfABusyMachineThatWakesALittleLateIsLate) {
  Worker worker(machine_.options());
  hang();
  machine_.stands_still = milliseconds(1'000) - kOne;
  const auto before = machine_.now;
  ASSERT_FALSE(ask(worker));
  EXPECT_EQ(machine_.now - before, milliseconds(10'000));
}

TEST_F(PendingCall, IsNotLateIfTheMachineStoodStillWhileAnotherWorkerWasWaitedFor) {
  const WorkerOptions options = machine_.options();
  Worker other(options);
  Worker worker(options);
  answer(std::chrono::hours(1) + milliseconds(9'000));
  ASSERT_TRUE(begin(worker, "4"));
  answer(std::chrono::hours(1) + milliseconds(8'000));
  ASSERT_TRUE(begin(other));
  machine_.stands_still = std::chrono::hours(1);
  EXPECT_TRUE(other.finish_by(Worker::Time::max(), {}));
  EXPECT_TRUE(worker.finish_by(Worker::Time::max(), {}));
  EXPECT_DOUBLE_EQ(worker.state().query_seconds, 9.0);

  hang();
  ASSERT_TRUE(begin(worker, "6"));
  EXPECT_EQ(wait(worker, milliseconds(10'000)).error().actual, 10'000U) << "it counts once";
}

// Several of them see the same one, each a little later.
TEST(StandstillTest, IsTheLastOneAndCountsOnce) {
  using std::chrono::seconds;
  const Standstill::Time start{seconds(1'000)};
  Standstill standstill;
  EXPECT_EQ(standstill.within(start, start + seconds(60)), seconds(0));
  standstill.note(start, start + milliseconds(999));
  EXPECT_EQ(standstill.within(start, start + seconds(60)), seconds(0)) << "a busy machine";
  standstill.note(start + seconds(10), start + seconds(20));
  standstill.note(start + seconds(9), start + seconds(21));
  EXPECT_EQ(standstill.within(start, start + seconds(60)), seconds(12));
  EXPECT_EQ(standstill.within(start + seconds(15), start + seconds(60)), seconds(6));
  EXPECT_EQ(standstill.within(start, start + seconds(15)), seconds(6));
  EXPECT_EQ(standstill.within(start + seconds(21), start + seconds(60)), seconds(0));
  standstill.note(start + seconds(40), start + seconds(42));
  EXPECT_EQ(standstill.within(start, start + seconds(60)), seconds(2));
}

TEST_F(PendingCall, ThatWasAskedLaterCountsFromThen) {
  Worker worker(machine_.options());
  answer(milliseconds(200));
  ASSERT_TRUE(ask(worker));
  ASSERT_TRUE(ask(worker));
  pass(milliseconds(5'000));
  hang();
  ASSERT_TRUE(begin(worker));
  EXPECT_EQ(wait(worker, milliseconds(50)).error(), pending(50, 1'600));
}

TEST_F(PendingCall, EndsAtItsDeadlineHoweverLongOneWouldWait) {
  Worker worker(machine_.options());
  hang();
  const auto before = machine_.now;
  ASSERT_TRUE(begin(worker));
  EXPECT_EQ(wait(worker, milliseconds(10'000) - kOne).error(), pending(9'999, 10'000));
  EXPECT_EQ(wait(worker, milliseconds(10'000)).error(), (Error{.code = ErrorCode::kTimedOut,
                                                               .where = "registry.query",
                                                               .actual = 10'000,
                                                               .limit = 10'000}));
  EXPECT_EQ(machine_.now - before, milliseconds(10'000));
  EXPECT_FALSE(worker.is_pending());
  EXPECT_EQ(ends(worker, WorkerEnd::kTimedOut), 1U);
}

// Somebody may come back later than that.
TEST_F(PendingCall, IsLostByTheFirstLookAfterItsDeadline) {
  Worker worker(machine_.options());
  hang();
  ASSERT_TRUE(begin(worker));
  EXPECT_EQ(wait(worker, milliseconds(0)).error().code, ErrorCode::kPending);
  pass(milliseconds(15'000));
  const auto reply = wait(worker, milliseconds(0));
  EXPECT_EQ(reply.error().code, ErrorCode::kTimedOut);
  EXPECT_EQ(reply.error().actual, 15'000U);
  EXPECT_EQ(reply.error().limit, 10'000U);
}

TEST_F(PendingCall, OwnsItsTexts) {
  Worker worker(machine_.options());
  machine_.provider = [](FakeProcess& process, const Request&) { process.crash(11); };
  {
    std::string text = "2 4";
    std::string input = "\1\2\3\4";
    const std::string call = "call";
    ASSERT_TRUE(
        worker.begin({.operation = Operation::kQuery, .text = text, .whose = input}, call, {}));
    text.assign(text.size(), 'x');
    input.assign(input.size(), 'x');
  }
  // It had not begun, so it is asked once more.
  answer();
  EXPECT_TRUE(worker.finish_by(Worker::Time::max(), {}));
  ASSERT_THAT(machine_.asked, SizeIs(2));
  EXPECT_EQ(machine_.asked[1].text, "2 4");
  EXPECT_EQ(machine_.asked[1].whose, "\1\2\3\4");
}

TEST_F(PendingCall, ThatHadNotBegunIsMadeOnceMore) {
  Worker worker(machine_.options());
  machine_.provider = [](FakeProcess& process, const Request&) { process.crash(11); };
  ASSERT_TRUE(begin(worker));
  hang();
  pass(milliseconds(300));
  EXPECT_EQ(wait(worker, milliseconds(20)).error(), pending(20, 10'000))
      << "its time begins with the new process";
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("2", "2"));
  EXPECT_EQ(worker.state().starts, 2U);
  EXPECT_EQ(ends(worker, WorkerEnd::kCrashed), 1U);
  EXPECT_EQ(worker.state().queries, 1U);
  machine_.running->crash(12);
  EXPECT_EQ(wait(worker, milliseconds(20)).error(),
            (Error{.code = ErrorCode::kWorkerCrashed, .where = "registry.query", .os_code = 12}));
  EXPECT_FALSE(worker.is_pending());
}

TEST_F(PendingCall, ThatHadNotBegunTwiceIsLost) {
  Worker worker(machine_.options());
  machine_.provider = [](FakeProcess& process, const Request&) { process.crash(11); };
  ASSERT_TRUE(begin(worker));
  EXPECT_EQ(worker.finish_by(Worker::Time::max(), {}).error().code, ErrorCode::kWorkerCrashed);
  EXPECT_THAT(machine_.asked, SizeIs(2));
  EXPECT_FALSE(worker.is_pending());
  EXPECT_FALSE(begin(worker)) << "it rests";
  EXPECT_FALSE(worker.is_pending());
}

TEST_F(PendingCall, IsNotMadeOnceMoreWhereNoProcessStarts) {
  Worker worker(machine_.options());
  machine_.provider = [](FakeProcess& process, const Request&) { process.crash(11); };
  ASSERT_TRUE(begin(worker));
  machine_.no_start = Error{.code = ErrorCode::kWorkerStart, .where = "worker"};
  EXPECT_EQ(worker.finish_by(Worker::Time::max(), {}).error(), *machine_.no_start);
  EXPECT_FALSE(worker.is_pending());
  EXPECT_THAT(machine_.asked, SizeIs(1));
}

TEST_F(PendingCall, IsNotMadeOnceMoreAfterAStop) {
  WorkerOptions options = machine_.options();
  StopSource stop;
  options.start = [&, start = options.start](const WorkerCommand& command) {
    if (!machine_.started.empty()) stop.request_stop();
    return start(command);
  };
  Worker worker(options);
  machine_.provider = [](FakeProcess& process, const Request&) { process.crash(11); };
  ASSERT_TRUE(begin(worker, "2", stop.token()));
  EXPECT_EQ(worker.finish_by(Worker::Time::max(), stop.token()).error(),
            (Error{.code = ErrorCode::kCancelled, .where = "registry.query"}));
  EXPECT_FALSE(worker.is_pending());
  EXPECT_THAT(machine_.asked, SizeIs(1));
}

TEST_F(PendingCall, KeepsToTheLimitsOfItsProcess) {
  WorkerOptions options = machine_.options();
  options.limits.max_threads = 30;
  Worker worker(options);
  hang();
  ASSERT_TRUE(begin(worker));
  machine_.use.threads = 30;
  EXPECT_EQ(wait(worker, milliseconds(10)).error().code, ErrorCode::kPending);
  EXPECT_EQ(machine_.looks, 1);
  EXPECT_EQ(worker.state().threads, 30U);
  machine_.use.threads = 31;
  EXPECT_EQ(wait(worker, milliseconds(250) - kOne).error().code, ErrorCode::kPending);
  EXPECT_EQ(machine_.looks, 1) << "four times a second is enough";
  EXPECT_EQ(
      wait(worker, kOne).error(),
      (Error{
          .code = ErrorCode::kWorkerLimit, .where = "registry.query", .actual = 31, .limit = 30}));
  EXPECT_FALSE(worker.is_pending());
  EXPECT_EQ(ends(worker, WorkerEnd::kThreads), 1U);
}

TEST_F(PendingCall, IsEndedByAStop) {
  Worker worker(machine_.options());
  hang();
  ASSERT_TRUE(begin(worker));
  EXPECT_EQ(wait(worker, milliseconds(10)).error().code, ErrorCode::kPending);
  StopSource stop;
  stop.request_stop();
  const auto before = machine_.now;
  EXPECT_EQ(worker.finish_by(Worker::Time::max(), stop.token()).error(),
            (Error{.code = ErrorCode::kCancelled, .where = "registry.query"}));
  EXPECT_EQ(machine_.now, before);
  EXPECT_FALSE(worker.is_pending());
  EXPECT_FALSE(worker.is_running());
  EXPECT_THAT(worker.state().ends, Each(0));
  answer();
  EXPECT_TRUE(ask(worker)) << "it doesn't rest";
}

TEST_F(PendingCall, DoesNotBeginAfterAStop) {
  Worker worker(machine_.options());
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(begin(worker, "2", stop.token()).error(),
            (Error{.code = ErrorCode::kCancelled, .where = "registry.query"}));
  EXPECT_FALSE(worker.is_pending());
  EXPECT_THAT(machine_.started, IsEmpty());
}

TEST_F(PendingCall, DoesNotBeginWhereItCannot) {
  Worker worker(machine_.options());
  machine_.no_start = Error{.code = ErrorCode::kWorkerStart, .where = "worker"};
  EXPECT_EQ(begin(worker).error(), *machine_.no_start);
  EXPECT_FALSE(worker.is_pending());
  machine_.no_start.reset();
  pass(milliseconds(1'000));
  EXPECT_EQ(begin(worker, std::string(kMaxRequestBytes + 1, '2')).error().code,
            ErrorCode::kLimitExceeded);
  EXPECT_FALSE(worker.is_pending());
  EXPECT_THAT(machine_.asked, IsEmpty());
  EXPECT_TRUE(begin(worker));
}

TEST_F(PendingCall, IsGivenUpWithItsProcess) {
  Worker worker(machine_.options());
  hang();
  ASSERT_TRUE(begin(worker));
  machine_.waits.clear();
  worker.finish();
  EXPECT_THAT(machine_.end_requests, IsEmpty());
  EXPECT_THAT(machine_.waits, IsEmpty()) << "nobody waits for its providers";
  EXPECT_FALSE(worker.is_pending());
  EXPECT_FALSE(worker.is_running());
  EXPECT_EQ(worker.state().process_id, 0U);
  answer();
  EXPECT_TRUE(ask(worker));
  worker.finish();
  EXPECT_THAT(machine_.end_requests, SizeIs(1)) << "nothing was pending then";
}

TEST_F(PendingCall, IsNoneWhoseReplyMakesNoSense) {
  Worker worker(machine_.options());
  machine_.provider = [](FakeProcess& process, const Request&) { process.reply({}); };
  ASSERT_TRUE(begin(worker));
  EXPECT_EQ(wait(worker, milliseconds(1)).error().code, ErrorCode::kWorkerReply);
  EXPECT_FALSE(worker.is_pending());
}

}  // namespace
}  // namespace winperf::worker
