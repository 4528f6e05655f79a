// When the process is looked at, what it may have, and what happens if none can be started.
#include <gmock/gmock.h>

#include "collectors/worker/worker.h"
#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf::worker {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint64_t kMostBytes = 1'000;
constexpr std::uint64_t kMostHandles = 200;
constexpr std::uint64_t kMostThreads = 30;

struct Row {
  ProcessUse use;
  std::optional<WorkerEnd> end;
  std::uint64_t actual = 0;
  std::uint64_t limit = 0;
};

// The memory's limit comes first, the threads' one last.
std::vector<Row> rows() {
  const ProcessUse at_limit{kMostBytes, kMostHandles, kMostThreads};
  return {
      {{}, {}},
      {{0, 0, 0}, {}},
      {at_limit, {}},
      {{kMostBytes + 1, kMostHandles, kMostThreads}, WorkerEnd::kMemory, 1'001, 1'000},
      {{kMostBytes, kMostHandles + 1, kMostThreads}, WorkerEnd::kHandles, 201, 200},
      {{kMostBytes, kMostHandles, kMostThreads + 1}, WorkerEnd::kThreads, 31, 30},
      {{{}, {}, kMostThreads + 1}, WorkerEnd::kThreads, 31, 30},
      {{kMostBytes + 5, kMostHandles + 5, kMostThreads + 5}, WorkerEnd::kMemory, 1'005, 1'000},
      {{kMostBytes, kMostHandles + 5, kMostThreads + 5}, WorkerEnd::kHandles, 205, 200},
  };
}

class WorkerLook : public FakeWorkerTest {
 protected:
  WorkerOptions limited() {
    WorkerOptions options = machine_.options();
    options.limits.max_private_bytes = kMostBytes;
    options.limits.max_handles = kMostHandles;
    options.limits.max_threads = kMostThreads;
    return options;
  }
  // Whether a call now looks at the process first.
  bool looks(Worker& worker) {
    const int before = machine_.looks;
    EXPECT_TRUE(ask(worker));
    return machine_.looks > before;
  }
};

TEST_F(WorkerLook, IsTakenFourTimesASecondDuringACall) {
  Worker worker(machine_.options());
  hang();
  ASSERT_FALSE(ask(worker));
  EXPECT_THAT(machine_.waits, SizeIs(40));
  EXPECT_THAT(machine_.waits, Each(milliseconds(250)));
  EXPECT_EQ(machine_.looks, 39) << "at the deadline it is too late";
}

TEST_F(WorkerLook, MakesNoCallLonger) {
  Worker worker(machine_.options());
  answer(milliseconds(75));
  ASSERT_TRUE(ask(worker));
  ASSERT_TRUE(ask(worker));
  hang();
  machine_.waits.clear();
  ASSERT_FALSE(ask(worker));
  constexpr milliseconds kLook{250};
  EXPECT_THAT(machine_.waits, ElementsAre(milliseconds(0), kLook, kLook, kLook, kLook));
  WorkerOptions options = machine_.options();
  options.limits.longest_timeout = milliseconds(600);
  Worker other(options);
  machine_.waits.clear();
  ASSERT_FALSE(ask(other));
  EXPECT_THAT(machine_.waits, ElementsAre(kLook, kLook, milliseconds(100)));
}

TEST_F(WorkerLook, IsNotTakenDuringAShortCall) {
  Worker worker(machine_.options());
  answer(milliseconds(250));
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(machine_.looks, 0);
  worker.finish();
  EXPECT_EQ(machine_.looks, 1) << "the last one of a process";
  answer(milliseconds(250) + nanoseconds(1));
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(machine_.looks, 2);
}

TEST_F(WorkerLook, IsTakenEveryFiveSecondsBeforeACall) {
  Worker worker(machine_.options());
  EXPECT_FALSE(looks(worker)) << "it has just been started";
  EXPECT_TRUE(looks(worker));
  EXPECT_FALSE(looks(worker));
  pass(milliseconds(4'999));
  EXPECT_FALSE(looks(worker));
  pass(milliseconds(1));
  EXPECT_TRUE(looks(worker));
  pass(milliseconds(5'001));
  EXPECT_TRUE(looks(worker));
}

TEST_F(WorkerLook, DuringACallCountsForTheNextOne) {
  Worker worker(machine_.options());
  answer(milliseconds(600));
  EXPECT_TRUE(looks(worker));
  answer();
  pass(milliseconds(4'899));
  EXPECT_FALSE(looks(worker)) << "the last look was 100 ms before the reply";
  pass(milliseconds(1));
  EXPECT_TRUE(looks(worker));
}

TEST_F(WorkerLook, IsTakenAtANewProcessAfterItsFirstCall) {
  Worker worker(machine_.options());
  ASSERT_TRUE(ask(worker));
  EXPECT_TRUE(looks(worker));
  machine_.running->crash(9);
  EXPECT_FALSE(looks(worker));
  EXPECT_TRUE(looks(worker));
}

TEST_F(WorkerLook, IsNoted) {
  Worker worker(machine_.options());
  machine_.use = {.private_bytes = 5, .handles = 6, .threads = std::nullopt};
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(worker.state().private_bytes, std::nullopt);
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(worker.state().private_bytes, 5U);
  EXPECT_EQ(worker.state().handles, 6U);
  EXPECT_EQ(worker.state().threads, std::nullopt);
}

// What providers cost outlives their process.
TEST_F(WorkerLook, AddsUpTheCpuTimeOfItsProcesses) {
  Worker worker(machine_.options());
  machine_.use.cpu_seconds = 2;
  ASSERT_TRUE(ask(worker));
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(worker.state().cpu_seconds, 2);
  machine_.use.cpu_seconds = 3;
  worker.finish();
  EXPECT_EQ(worker.state().cpu_seconds, 3) << "it is checked before it ends";
  machine_.use.cpu_seconds = 0.5;
  ASSERT_TRUE(ask(worker));
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(worker.state().cpu_seconds, 3.5);
}

TEST_F(WorkerLook, EndsAProcessAboveALimitDuringItsCall) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(row.actual);
    machine_.use = row.use;
    hang();
    Worker worker(limited());
    const auto began = machine_.now;
    const auto reply = ask(worker);
    ASSERT_FALSE(reply);
    if (!row.end) {
      EXPECT_EQ(reply.error().code, ErrorCode::kTimedOut);
      continue;
    }
    EXPECT_EQ(machine_.now - began, milliseconds(250));
    EXPECT_EQ(reply.error(), (Error{.code = ErrorCode::kWorkerLimit,
                                    .where = "registry.query",
                                    .actual = row.actual,
                                    .limit = row.limit}));
    EXPECT_EQ(ends(worker, *row.end), 1U);
    EXPECT_EQ(worker.state().process_id, machine_.running->id()) << "there is another one";
    const auto events = worker.take_events();
    ASSERT_THAT(events, SizeIs(1));
    EXPECT_EQ(events[0].end, row.end);
  }
}

TEST_F(WorkerLook, ReplacesAProcessAboveALimitBeforeACall) {
  for (const Row& row : rows()) {
    SCOPED_TRACE(row.actual);
    machine_.use = row.use;
    Worker worker(limited());
    ASSERT_TRUE(ask(worker));
    const std::uint64_t first = worker.state().process_id;
    ASSERT_TRUE(ask(worker)) << "that costs the call nothing";
    const auto events = worker.take_events();
    ASSERT_THAT(events, SizeIs(row.end ? 1 : 0));
    EXPECT_EQ(worker.state().starts, row.end ? 2U : 1U);
    if (!row.end) continue;
    EXPECT_EQ(ends(worker, *row.end), 1U);
    EXPECT_EQ(worker.state().private_bytes, std::nullopt);
    EXPECT_EQ(events[0].process_id, first);
    EXPECT_EQ(events[0].end, row.end);
    EXPECT_EQ(events[0].call, "");
    EXPECT_EQ(events[0].error,
              (Error{.code = ErrorCode::kWorkerLimit, .actual = row.actual, .limit = row.limit}));
  }
}

TEST_F(WorkerLook, ThatFindsNothingOutIsNoLoss) {
  WorkerOptions options = machine_.options();
  options.limits.max_private_bytes = 0;
  options.limits.max_handles = 0;
  options.limits.max_threads = 0;
  Worker worker(options);
  ASSERT_TRUE(ask(worker));
  ASSERT_TRUE(ask(worker));
  EXPECT_EQ(machine_.looks, 1);
  EXPECT_THAT(worker.state().ends, Each(0));
}

class WorkerStart : public FakeWorkerTest {
 protected:
  static constexpr Error kNoFile{.code = ErrorCode::kWorkerStart, .where = "worker", .os_code = 2};
  static constexpr Error kNoRoom{.code = ErrorCode::kWorkerStart, .where = "worker", .os_code = 12};
};

TEST_F(WorkerStart, ThatFailsIsTheCallsError) {
  machine_.no_start = kNoFile;
  Worker worker(machine_.options());
  const auto reply = ask(worker);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error(), kNoFile);
  EXPECT_FALSE(worker.is_running());
  EXPECT_EQ(worker.state().starts, 0U);
  EXPECT_EQ(worker.state().queries, 0U);
  EXPECT_EQ(worker.state().process_id, 0U);
  EXPECT_THAT(worker.state().ends, Each(0));
  EXPECT_THAT(worker.take_events(), IsEmpty());
}

TEST_F(WorkerStart, ThatFailsIsTriedAgainAfterASecond) {
  machine_.no_start = kNoFile;
  Worker worker(machine_.options());
  EXPECT_EQ(ask(worker).error(), kNoFile);
  machine_.no_start = kNoRoom;
  EXPECT_EQ(ask(worker, "3").error(), kNoFile);
  pass(milliseconds(1'000) - nanoseconds(1));
  EXPECT_EQ(ask(worker).error(), kNoFile);
  EXPECT_THAT(machine_.started, SizeIs(1));
  pass(nanoseconds(1));
  EXPECT_EQ(ask(worker).error(), kNoRoom);
  EXPECT_THAT(machine_.started, SizeIs(2));
  machine_.no_start.reset();
  pass(milliseconds(1'000));
  EXPECT_TRUE(ask(worker));
  EXPECT_EQ(worker.state().starts, 1U);
}

TEST_F(WorkerStart, OfAReplacementThatFailsIsToldByTheNextCall) {
  machine_.provider = [&](FakeProcess& process, const Request& request) {
    process.begin(request.operation, request.text);
    process.crash(11);
    machine_.no_start = kNoFile;
  };
  Worker worker(machine_.options());
  EXPECT_EQ(ask(worker).error().code, ErrorCode::kWorkerCrashed);
  EXPECT_FALSE(worker.is_running());
  EXPECT_EQ(worker.state().process_id, 0U);
  EXPECT_EQ(ask(worker).error().code, ErrorCode::kWorkerCrashed) << "this one rests";
  EXPECT_EQ(ask(worker, "3").error(), kNoFile);
  machine_.no_start.reset();
  answer();
  pass(milliseconds(1'000));
  EXPECT_TRUE(ask(worker, "3"));
}

}  // namespace
}  // namespace winperf::worker
