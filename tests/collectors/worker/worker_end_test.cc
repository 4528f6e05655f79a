// How a process ends during a call, by a stop, or because it is no longer needed.
#include <gmock/gmock.h>

#include "collectors/worker/worker.h"
#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf::worker {
namespace {

using std::chrono::milliseconds;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class WorkerEndTest : public FakeWorkerTest {};

TEST_F(WorkerEndTest, ByACrashIsTheCallsError) {
  Worker worker(machine_.options());
  crash(0xC000'0005);
  const auto reply = ask(worker, "238 2");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), (Error{.code = ErrorCode::kWorkerCrashed,
                                  .where = "registry.query",
                                  .os_code = 0xC000'0005}));
  EXPECT_THAT(worker.state().ends, ElementsAre(1, 0, 0, 0, 0, 0, 0, 0));
}

TEST_F(WorkerEndTest, ByItselfIsTheCallsError) {
  Worker worker(machine_.options());
  machine_.provider = [](FakeProcess& process, const Request& request) {
    process.begin(request.operation, request.text);
    process.end_as(EndStatus{.crashed = false, .code = 3});
  };
  const auto reply = ask(worker);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(),
            (Error{.code = ErrorCode::kWorkerExited, .where = "registry.query", .os_code = 3}));
  EXPECT_THAT(worker.state().ends, ElementsAre(0, 1, 0, 0, 0, 0, 0, 0));
  EXPECT_THAT(machine_.asked, SizeIs(1)) << "it had begun";
}

TEST_F(WorkerEndTest, OfItsConnectionIsABadReply) {
  Worker worker(machine_.options());
  machine_.provider = [](FakeProcess& process, const Request& request) {
    process.begin(request.operation, request.text);
    process.end_as(std::nullopt);
  };
  const auto reply = ask(worker);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), (Error{.code = ErrorCode::kWorkerReply, .where = "registry.query"}));
  EXPECT_THAT(worker.state().ends, ElementsAre(0, 0, 0, 0, 0, 0, 1, 0));
  EXPECT_THAT(machine_.asked, SizeIs(1)) << "it had begun";
}

TEST_F(WorkerEndTest, DuringACallStartsTheNextProcessAtOnce) {
  Worker worker(machine_.options());
  crash();
  ASSERT_FALSE(ask(worker));
  EXPECT_TRUE(worker.is_running());
  EXPECT_EQ(worker.state().starts, 2U);
  EXPECT_EQ(worker.state().starts, 2U);
  EXPECT_EQ(worker.state().process_id, 102U);
  answer();
  EXPECT_TRUE(ask(worker, "3"));
  EXPECT_EQ(worker.state().starts, 2U);
}

// Nothing was lost, so the call is made again; an event says why there is another process.
TEST_F(WorkerEndTest, BeforeTheCallHasBegunCostsTheCallNothing) {
  for (const auto& status :
       {std::optional(EndStatus{.crashed = true, .code = 9}),
        std::optional(EndStatus{.crashed = false, .code = 1}), std::optional<EndStatus>{}}) {
    FakeMachine machine;
    machine.provider = [&](FakeProcess& process, const Request&) {
      if (machine.asked.size() == 1) return process.end_as(status);
      process.reply({bytes(3)});
    };
    Worker worker(machine.options());
    EXPECT_TRUE(ask(worker, "238"));
    EXPECT_THAT(machine.asked_texts(), ElementsAre("238", "238"));
    EXPECT_EQ(machine.asked[1].sequence, 2U);
    EXPECT_EQ(worker.state().starts, 2U);
    EXPECT_EQ(worker.state().queries, 2U);
    const auto events = worker.take_events();
    ASSERT_THAT(events, SizeIs(1));
    EXPECT_EQ(events[0].process_id, 101U);
    EXPECT_EQ(events[0].call, "");
  }
}

TEST_F(WorkerEndTest, BeforeTheSecondAttemptHasBegunIsALoss) {
  Worker worker(machine_.options());
  machine_.provider = [](FakeProcess& process, const Request&) { process.crash(9); };
  const auto reply = ask(worker, "238");
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(),
            (Error{.code = ErrorCode::kWorkerCrashed, .where = "registry.query", .os_code = 9}));
  EXPECT_THAT(machine_.asked, SizeIs(2));
  EXPECT_EQ(ends(worker, WorkerEnd::kCrashed), 2U);
  const auto events = worker.take_events();
  ASSERT_THAT(events, SizeIs(2));
  EXPECT_EQ(events[0].call, "");
  EXPECT_EQ(events[1].call, "registry.query \"238\"");
  EXPECT_EQ(ask(worker, "238").error(), reply.error());
  EXPECT_THAT(machine_.asked, SizeIs(2)) << "the call rests";
}

TEST_F(WorkerEndTest, AStopThatWasRequestedBeforeStartsNothing) {
  StopSource stop;
  stop.request_stop();
  Worker worker(machine_.options());
  const auto reply = worker.call({.operation = Operation::kOpenSet}, "call", stop.token());
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), (Error{.code = ErrorCode::kCancelled, .where = "perflib.open_query"}));
  EXPECT_THAT(machine_.started, IsEmpty());
  EXPECT_EQ(worker.state().queries, 0U);
}

TEST_F(WorkerEndTest, AStopDuringTheCallEndsTheProcessAndIsNoLoss) {
  StopSource stop;
  machine_.use = {.private_bytes = 1, .handles = 2, .threads = 3};
  machine_.during_a_look = [&] { stop.request_stop(); };
  hang();
  Worker worker(machine_.options());
  const auto began = machine_.now;
  const auto reply = ask(worker, "2", stop.token());
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), (Error{.code = ErrorCode::kCancelled, .where = "registry.query"}));
  EXPECT_EQ(machine_.now - began, milliseconds(250));
  EXPECT_FALSE(worker.is_running());
  EXPECT_EQ(machine_.running, nullptr);
  EXPECT_THAT(machine_.started, SizeIs(1)) << "no other one is started";
  EXPECT_THAT(worker.state().ends, Each(0));
  EXPECT_EQ(worker.state().queries, 1U);
  EXPECT_THAT(worker.take_events(), IsEmpty());
  answer();
  EXPECT_TRUE(ask(worker)) << "the call doesn't rest";
}

TEST_F(WorkerEndTest, LeavesNothingInUse) {
  Worker worker(machine_.options());
  machine_.use = {.private_bytes = 1, .handles = 2, .threads = 3};
  ASSERT_TRUE(ask(worker));
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(worker.state().private_bytes, 1U);
  EXPECT_EQ(worker.state().handles, 2U);
  EXPECT_EQ(worker.state().threads, 3U);
  worker.finish();
  EXPECT_EQ(worker.state().process_id, 0U);
  EXPECT_EQ(worker.state().private_bytes, std::nullopt);
  EXPECT_EQ(worker.state().handles, std::nullopt);
  EXPECT_EQ(worker.state().threads, std::nullopt);
}

TEST_F(WorkerEndTest, IsAskedForAndCountsAsNone) {
  Worker worker(machine_.options());
  ASSERT_TRUE(ask(worker));
  worker.finish();
  ASSERT_THAT(machine_.end_requests, SizeIs(1));
  EXPECT_FALSE(worker.is_running());
  EXPECT_EQ(machine_.running, nullptr);
  EXPECT_THAT(worker.state().ends, Each(0));
  EXPECT_EQ(worker.state().queries, 1U);
  EXPECT_THAT(worker.take_events(), IsEmpty());
  EXPECT_EQ(worker.state().starts, 1U);
  EXPECT_TRUE(ask(worker));
  EXPECT_EQ(worker.state().starts, 2U);
}

TEST_F(WorkerEndTest, IsAskedForWhenTheWorkerIsNoLongerNeeded) {
  {
    Worker worker(machine_.options());
    ASSERT_TRUE(ask(worker));
  }
  EXPECT_THAT(machine_.end_requests, SizeIs(1));
  EXPECT_EQ(machine_.running, nullptr);
}

TEST_F(WorkerEndTest, OfNoProcessIsNothing) {
  Worker worker(machine_.options());
  worker.finish();
  ASSERT_TRUE(ask(worker));
  worker.finish();
  worker.finish();
  EXPECT_THAT(machine_.end_requests, SizeIs(1));
}

TEST_F(WorkerEndTest, IsWaitedForHalfASecond) {
  struct Row {
    milliseconds takes;
    milliseconds waited;
  };
  for (const Row& row :
       {Row{milliseconds(499), milliseconds(499)}, Row{milliseconds(500), milliseconds(500)},
        Row{milliseconds(501), milliseconds(500)}}) {
    for (const Wake wake : {Wake::kEnded, Wake::kReply}) {
      machine_.at_end = [&](FakeProcess& process) { process.then(wake, row.takes); };
      Worker worker(machine_.options());
      ASSERT_TRUE(ask(worker));
      const auto began = machine_.now;
      worker.finish();
      EXPECT_EQ(machine_.now - began, row.waited);
      EXPECT_EQ(machine_.running, nullptr);
    }
  }
}

// A stop may come together with a reply: then the interruption is still there.
TEST_F(WorkerEndTest, IsWaitedForInSpiteOfAnOldInterruption) {
  machine_.at_end = [](FakeProcess& process) {
    process.interrupt();
    process.then(Wake::kEnded, milliseconds(100));
  };
  Worker worker(machine_.options());
  ASSERT_TRUE(ask(worker));
  const auto began = machine_.now;
  worker.finish();
  EXPECT_EQ(machine_.now - began, milliseconds(100));
}

}  // namespace
}  // namespace winperf::worker
