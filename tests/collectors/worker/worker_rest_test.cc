// What follows from a loss: how long the call rests, and what is told of it.
#include <gmock/gmock.h>

#include "collectors/worker/worker.h"
#include "tests/collectors/worker/fake_worker_process.h"

namespace winperf::worker {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::size_t kMostLost = 64;
constexpr std::size_t kMostEvents = 64;
constexpr Error kCrash{.code = ErrorCode::kWorkerCrashed, .where = "registry.query", .os_code = 11};

class WorkerRest : public FakeWorkerTest {
 protected:
  // Whether somebody is asked; otherwise the answer is that of the loss.
  bool is_made(Worker& worker, std::string_view name = "2") {
    const std::size_t before = machine_.asked.size();
    const auto reply = ask(worker, name);
    const bool made = machine_.asked.size() > before;
    if (!made && (reply || reply.error() != kCrash)) {
      ADD_FAILURE() << "it doesn't say why";
    }
    return made;
  }
  // The call rests exactly so long from now on; then it is made.
  void expect_rest(Worker& worker, nanoseconds rest) {
    EXPECT_FALSE(is_made(worker)) << rest.count();
    pass(rest - nanoseconds(1));
    EXPECT_FALSE(is_made(worker)) << rest.count();
    pass(nanoseconds(1));
    EXPECT_TRUE(is_made(worker)) << rest.count();
  }
  void idle_end(Worker& worker, EndStatus status = {.crashed = true, .code = 9}) {
    machine_.running->end_as(status);
    ASSERT_TRUE(ask(worker));
  }
};

TEST_F(WorkerRest, LastsASecondAndThenTwiceAsLongUpToAMinute) {
  Worker worker(machine_.options());
  crash();
  ASSERT_FALSE(ask(worker));
  for (const int expected : {1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60})
    expect_rest(worker, seconds(expected));
}

TEST_F(WorkerRest, LastsAtLeastAsLongAsTheCallTook) {
  struct Row {
    milliseconds took;
    milliseconds rest;
  };
  for (const Row& row :
       {Row{milliseconds(999), milliseconds(1'000)}, Row{milliseconds(1'000), milliseconds(1'000)},
        Row{milliseconds(1'001), milliseconds(1'001)},
        Row{milliseconds(9'000), milliseconds(9'000)},
        Row{milliseconds(59'999), milliseconds(59'999)},
        Row{milliseconds(60'001), milliseconds(60'000)}}) {
    WorkerOptions options = machine_.options();
    options.limits.longest_timeout = seconds(100);
    Worker worker(options);
    crash(11, row.took);
    ASSERT_FALSE(ask(worker));
    expect_rest(worker, row.rest);
  }
}

TEST_F(WorkerRest, OfASlowCallIsTwiceAsLongTheSecondTime) {
  Worker worker(machine_.options());
  crash(11, milliseconds(3'000));
  ASSERT_FALSE(ask(worker));
  for (const int expected : {3, 6, 12, 24, 48, 60}) expect_rest(worker, seconds(expected));
}

TEST_F(WorkerRest, IsOfTheCallThatWasLost) {
  Worker worker(machine_.options());
  crash();
  ASSERT_FALSE(ask(worker, "2"));
  answer();
  EXPECT_FALSE(is_made(worker, "2"));
  EXPECT_TRUE(is_made(worker, "3"));
  // What counts is the name of the call, not what it asks for.
  EXPECT_FALSE(worker.call({.operation = Operation::kQuery, .text = "3"}, "2", {}));
  EXPECT_THAT(machine_.asked_texts(), ElementsAre("2", "3"));
}

TEST_F(WorkerRest, IsKnownWithItsEnd) {
  Worker worker(machine_.options());
  EXPECT_EQ(worker.rests_until("2"), std::nullopt);
  crash();
  ASSERT_FALSE(ask(worker, "2"));
  EXPECT_EQ(worker.rests_until("2"), machine_.now + seconds(1));
  EXPECT_EQ(worker.rests_until("3"), std::nullopt) << "nothing was lost with it";
  pass(seconds(1));
  EXPECT_EQ(worker.rests_until("2"), std::nullopt) << "it is over";
}

TEST_F(WorkerRest, BeginsAnewAfterASuccess) {
  Worker worker(machine_.options());
  crash();
  ASSERT_FALSE(ask(worker));
  expect_rest(worker, seconds(1));
  answer();
  expect_rest(worker, seconds(2));
  EXPECT_TRUE(is_made(worker)) << "what works doesn't rest";
  crash();
  ASSERT_FALSE(ask(worker));
  expect_rest(worker, seconds(1));
}

TEST_F(WorkerRest, IsKeptForABoundedNumberOfCalls) {
  Worker worker(machine_.options());
  crash();
  for (std::size_t i = 0; i < kMostLost; ++i) ASSERT_FALSE(ask(worker, std::to_string(i)));
  for (std::size_t i = 0; i < kMostLost; ++i) EXPECT_FALSE(is_made(worker, std::to_string(i)));
  ASSERT_FALSE(ask(worker, "one more"));
  EXPECT_FALSE(is_made(worker, "one more"));
  EXPECT_TRUE(is_made(worker, "0"));
}

TEST_F(WorkerRest, OfAKnownCallNeedsNoPlace) {
  Worker worker(machine_.options());
  crash();
  for (std::size_t i = 0; i < kMostLost; ++i) ASSERT_FALSE(ask(worker, std::to_string(i)));
  EXPECT_THAT(worker.take_events(), SizeIs(kMostLost));
  pass(seconds(1));
  for (std::size_t i = 0; i < kMostLost; ++i) EXPECT_TRUE(is_made(worker, std::to_string(i)));
  EXPECT_THAT(worker.take_events(), IsEmpty()) << "nothing has changed";
  pass(seconds(1));
  EXPECT_FALSE(is_made(worker, "0"));
  EXPECT_FALSE(is_made(worker, "63"));
}

TEST_F(WorkerRest, IsToldWithItsReason) {
  Worker worker(machine_.options());
  crash();
  ASSERT_FALSE(ask(worker, "238 2"));
  const auto events = worker.take_events();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].worker, "registry");
  EXPECT_EQ(events[0].process_id, 101U);
  EXPECT_EQ(events[0].end, WorkerEnd::kCrashed);
  EXPECT_EQ(events[0].call, "registry.query \"238 2\"");
  EXPECT_EQ(events[0].error, kCrash);
  EXPECT_THAT(worker.take_events(), IsEmpty());
}

TEST_F(WorkerRest, IsToldAgainOnlyForAnotherReason) {
  Worker worker(machine_.options());
  const auto lose = [&] {
    pass(seconds(60));
    ASSERT_FALSE(ask(worker));
  };
  crash(11);
  lose();
  EXPECT_THAT(worker.take_events(), SizeIs(1));
  crash(6);
  lose();
  EXPECT_THAT(worker.take_events(), IsEmpty());
  hang();
  lose();
  const auto events = worker.take_events();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].end, WorkerEnd::kTimedOut);
  EXPECT_EQ(events[0].process_id, 103U);
  lose();
  EXPECT_THAT(worker.take_events(), IsEmpty());
}

TEST_F(WorkerRest, HasAnEndThatIsTold) {
  Worker worker(machine_.options());
  crash();
  ASSERT_FALSE(ask(worker, "238"));
  EXPECT_THAT(worker.take_events(), SizeIs(1));
  pass(seconds(1));
  answer();
  ASSERT_TRUE(ask(worker, "238"));
  const auto events = worker.take_events();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].worker, "registry");
  EXPECT_EQ(events[0].process_id, 0U);
  EXPECT_EQ(events[0].end, std::nullopt);
  EXPECT_EQ(events[0].call, "registry.query \"238\"");
  EXPECT_EQ(events[0].error, std::nullopt);
  ASSERT_TRUE(ask(worker, "238"));
  EXPECT_THAT(worker.take_events(), IsEmpty());
}

// It may be busy with another part of the call than the one that it was asked for.
TEST_F(WorkerRest, IsToldWithWhatTheProcessSaysThatItWasDoing) {
  struct Row {
    Operation operation;
    const char* text;
    const char* told;
  };
  for (const Row& row : {Row{Operation::kQuery, "3000", "registry.query \"3000\""},
                         Row{Operation::kTextTables, "3000", "registry.text_tables"},
                         Row{Operation::kOpenSet, "s", "perflib.open_query"},
                         Row{Operation{}, "", "registry.query \"2\""}}) {
    machine_.provider = [&](FakeProcess& process, const Request&) {
      process.begin(row.operation, row.text);
    };
    Worker worker(machine_.options());
    ASSERT_FALSE(ask(worker, "2"));
    const auto events = worker.take_events();
    ASSERT_THAT(events, SizeIs(1));
    EXPECT_EQ(events[0].call, row.told);
  }
}

TEST_F(WorkerRest, IsToldOfABoundedNumberOfCalls) {
  Worker worker(machine_.options());
  crash();
  for (std::size_t i = 0; i <= kMostEvents; ++i) ASSERT_FALSE(ask(worker, std::to_string(i)));
  const auto events = worker.take_events();
  ASSERT_THAT(events, SizeIs(kMostEvents));
  EXPECT_EQ(events.front().call, "registry.query \"0\"");
  EXPECT_EQ(events.back().call, "registry.query \"63\"");
  ASSERT_FALSE(ask(worker, "one more"));
  EXPECT_THAT(worker.take_events(), SizeIs(1)) << "there is room again";
}

class WorkerIdleEnd : public WorkerRest {};

TEST_F(WorkerIdleEnd, IsToldWithoutACallAndCostsNone) {
  Worker worker(machine_.options());
  ASSERT_TRUE(ask(worker));
  machine_.running->begin(Operation::kQuery, "238");
  idle_end(worker);
  EXPECT_THAT(machine_.asked, SizeIs(2));
  EXPECT_EQ(worker.state().process_id, 102U);
  EXPECT_EQ(worker.state().queries, 2U);
  EXPECT_EQ(ends(worker, WorkerEnd::kCrashed), 1U);
  const auto events = worker.take_events();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].worker, "registry");
  EXPECT_EQ(events[0].process_id, 101U);
  EXPECT_EQ(events[0].end, WorkerEnd::kCrashed);
  EXPECT_EQ(events[0].call, "");
  EXPECT_EQ(events[0].error, (Error{.code = ErrorCode::kWorkerCrashed, .os_code = 9}));
}

TEST_F(WorkerIdleEnd, IsNewsAfterAMinuteWithoutOne) {
  struct Row {
    nanoseconds between;
    std::size_t events;
  };
  for (const Row& row : {Row{nanoseconds(0), 0}, Row{seconds(60) - nanoseconds(1), 0},
                         Row{seconds(60), 1}, Row{seconds(60) + nanoseconds(1), 1}}) {
    Worker worker(machine_.options());
    ASSERT_TRUE(ask(worker));
    idle_end(worker);
    EXPECT_THAT(worker.take_events(), SizeIs(1));
    pass(row.between);
    idle_end(worker);
    EXPECT_THAT(worker.take_events(), SizeIs(row.events)) << row.between.count();
    EXPECT_EQ(ends(worker, WorkerEnd::kCrashed), 2U) << "it counts nevertheless";
  }
}

TEST_F(WorkerIdleEnd, IsNewsForAnotherReason) {
  Worker worker(machine_.options());
  ASSERT_TRUE(ask(worker));
  idle_end(worker, {.crashed = true, .code = 9});
  idle_end(worker, {.crashed = true, .code = 11});
  EXPECT_THAT(worker.take_events(), SizeIs(1));
  idle_end(worker, {.crashed = false, .code = 9});
  EXPECT_THAT(worker.take_events(), SizeIs(1));
  idle_end(worker, {.crashed = false, .code = 9});
  EXPECT_THAT(worker.take_events(), IsEmpty());
  idle_end(worker, {.crashed = true, .code = 9});
  EXPECT_THAT(worker.take_events(), SizeIs(1));
}

}  // namespace
}  // namespace winperf::worker
