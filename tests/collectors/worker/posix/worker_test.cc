// Workers with real processes: the executable with the simulated machine, and a provider that does
// there what a file says.
#include "collectors/worker/worker.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "collectors/base/os_code.h"
#include "collectors/worker/worker_source.h"
#include "tests/collectors/sampling/fake_source.h"

namespace winperf::worker {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kFaulty[] = "3000";  // the object index of "Faulty Device"
constexpr milliseconds kNever{600'000};

class WorkerTest : public ::testing::Test {
 protected:
  WorkerTest() {
    std::filesystem::create_directories(folder_);
    setenv("WINPERF_SIMULATOR", "faulty", 1);
    setenv("WINPERF_FAULT_FILE", fault_file_.c_str(), 1);
  }
  ~WorkerTest() override { std::filesystem::remove_all(folder_); }

  void fault(const std::string& word) const { std::ofstream(fault_file_) << word; }
  static WorkerOptions options(const char* name, milliseconds shortest = kNever,
                               milliseconds longest = kNever) {
    WorkerLimits limits;
    limits.shortest_timeout = shortest;
    limits.longest_timeout = longest;
    return {.name = name, .executable = WINPERF_SIMULATED, .words = {"worker"}, .limits = limits};
  }
  static std::expected<Reply, Error> ask(Worker& worker, std::string_view name = "2",
                                         const StopToken& stop = {}) {
    return worker.call({.operation = Operation::kQuery, .text = std::string(name)}, name, stop);
  }
  static std::uint64_t ends(const Worker& worker, WorkerEnd end) {
    return worker.state().ends.at(static_cast<std::size_t>(end));
  }
  static pid_t id_of(const Worker& worker) { return static_cast<pid_t>(worker.state().process_id); }
  // A child that has ended and was waited for is no process any more.
  static bool exists(pid_t process) { return kill(process, 0) == 0; }

  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("winperf_worker_" + std::to_string(getpid()));
  const std::string fault_file_ = folder_ / "fault";
};

TEST_F(WorkerTest, IsStartedByItsFirstCallAndEndsWithItsObject) {
  pid_t process = 0;
  {
    Worker worker(options("registry"));
    EXPECT_FALSE(worker.is_running());
    const auto reply = ask(worker);
    ASSERT_TRUE(reply);
    ASSERT_THAT(reply->parts, SizeIs(1));
    ASSERT_TRUE(reply->parts[0]);
    EXPECT_GT(reply->parts[0]->size(), 88U);
    process = id_of(worker);
    EXPECT_TRUE(exists(process));
    EXPECT_EQ(worker.state().starts, 1U);
    EXPECT_EQ(worker.state().queries, 1U);
  }
  EXPECT_FALSE(exists(process));
}

TEST_F(WorkerTest, AnErrorOfTheSourceIsNoLoss) {
  Worker worker(options("registry"));
  const auto reply = ask(worker, "no such name");
  ASSERT_TRUE(reply);
  ASSERT_THAT(reply->parts, SizeIs(1));
  ASSERT_FALSE(reply->parts[0]);
  EXPECT_EQ(reply->parts[0].error().code, ErrorCode::kNoSuchFile);
  EXPECT_STREQ(reply->parts[0].error().where, "registry.query");
  EXPECT_EQ(worker.state().starts, 1U);
}

TEST_F(WorkerTest, ACrashIsAnErrorAndAReplacement) {
  Worker worker(options("registry"));
  ASSERT_TRUE(ask(worker));
  const pid_t first = id_of(worker);
  fault("terminate_collect");
  const auto reply = ask(worker, kFaulty);
  ASSERT_FALSE(reply);
  EXPECT_EQ(describe(reply.error()), "registry.query crashed its worker process (signal 9)");
  EXPECT_FALSE(exists(first));
  EXPECT_NE(id_of(worker), first);
  EXPECT_TRUE(exists(id_of(worker))) << "the replacement is there before it is needed";
  EXPECT_EQ(ends(worker, WorkerEnd::kCrashed), 1U);
  const auto events = worker.take_events();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(describe(events[0]), "process " + std::to_string(first) +
                                     " crashed during registry.query \"3000\" (signal 9)");
  EXPECT_TRUE(ask(worker));
}

TEST_F(WorkerTest, AnExitIsTold) {
  Worker worker(options("registry"));
  ASSERT_TRUE(ask(worker));
  fault("exit_collect");
  const auto reply = ask(worker, kFaulty);
  ASSERT_FALSE(reply);
  EXPECT_EQ(describe(reply.error()), "registry.query ended its worker process (exit code 3)");
  EXPECT_EQ(ends(worker, WorkerEnd::kExited), 1U);
}

TEST_F(WorkerTest, WhatHangsIsEndedAtItsDeadline) {
  Worker worker(options("registry", milliseconds(2000), milliseconds(2000)));
  ASSERT_TRUE(ask(worker));
  const pid_t first = id_of(worker);
  fault("hang_collect");
  const auto reply = ask(worker, kFaulty);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kTimedOut);
  EXPECT_EQ(reply.error().limit, 2000U);
  EXPECT_GE(reply.error().actual, 2000U);
  EXPECT_FALSE(exists(first));
  EXPECT_EQ(ends(worker, WorkerEnd::kTimedOut), 1U);
}

TEST_F(WorkerTest, WhatWasLostRestsAndSaysWhy) {
  Worker worker(options("registry"));
  fault("terminate_collect");
  const auto first = ask(worker, kFaulty);
  const std::uint64_t queries = worker.state().queries;
  const auto second = ask(worker, kFaulty);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error(), first.error());
  EXPECT_EQ(worker.state().queries, queries) << "nobody was asked";
  EXPECT_TRUE(ask(worker)) << "others don't rest";
}

TEST_F(WorkerTest, AProcessThatIsGoneBeforeTheCallCostsNothing) {
  Worker worker(options("registry"));
  ASSERT_TRUE(ask(worker));
  const pid_t first = id_of(worker);
  kill(first, SIGKILL);
  EXPECT_TRUE(ask(worker));
  EXPECT_NE(id_of(worker), first);
  EXPECT_EQ(ends(worker, WorkerEnd::kCrashed), 1U);
  const auto events = worker.take_events();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_THAT(describe(events[0]), HasSubstr("(signal 9)"));
}

// Whether the call has begun when the stop comes, is left to the two threads; mostly it has.
TEST_F(WorkerTest, AStopEndsACallThatHangs) {
  for (int round = 0; round < 20; ++round) {
    Worker worker(options("registry"));
    fault("");
    ASSERT_TRUE(ask(worker));
    fault("hang_collect");
    StopSource stop;
    const std::jthread stopping([&stop] { stop.request_stop(); });
    const auto reply = ask(worker, kFaulty, stop.token());
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::kCancelled);
    EXPECT_THAT(worker.take_events(), IsEmpty());
  }
}

TEST_F(WorkerTest, AfterAStopNothingIsStartedOrAsked) {
  Worker worker(options("registry"));
  StopSource stop;
  stop.request_stop();
  EXPECT_EQ(ask(worker, "2", stop.token()).error().code, ErrorCode::kCancelled);
  EXPECT_EQ(worker.state().starts, 0U);
  EXPECT_EQ(worker.state().queries, 0U);
}

TEST_F(WorkerTest, MoreMemoryThanAllowedEndsIt) {
  WorkerOptions little = options("registry");
  little.limits.max_private_bytes = 1;
  Worker worker(little);
  fault("hang_collect");
  const auto reply = ask(worker, kFaulty);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kWorkerLimit);
  EXPECT_EQ(reply.error().limit, 1U);
  EXPECT_GT(reply.error().actual, 1U);
  EXPECT_EQ(ends(worker, WorkerEnd::kMemory), 1U);
}

TEST_F(WorkerTest, AnExecutableThatIsNotThereIsAnError) {
  WorkerOptions nowhere = options("registry");
  nowhere.executable = folder_ / "nothing";
  Worker worker(nowhere);
  const auto reply = ask(worker);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kWorkerStart);
  EXPECT_EQ(reply.error().os_code, 2U);
}

// What is no worker ends, and says so by its end; nobody tries again and again.
TEST_F(WorkerTest, AnotherProgramIsNoWorker) {
  WorkerOptions other = options("registry");
  other.executable = "/bin/true";
  Worker worker(other);
  const auto reply = ask(worker);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::kWorkerStart);
  const std::uint64_t starts = worker.state().starts;
  EXPECT_LE(starts, 3U);
  EXPECT_EQ(ask(worker).error(), reply.error());
  EXPECT_EQ(worker.state().starts, starts);
}

TEST_F(WorkerTest, WhatPerflibWasAskedRestsInTheNextProcessToo) {
  WorkerPerflib perflib(options("perflib"));
  const PerflibSet first = perflib.new_set();
  ASSERT_TRUE(perflib.open(first, {}));
  fault("terminate_perflib");
  EXPECT_TRUE(is_lost(perflib.collect(first).error().code));
  fault("");
  const PerflibSet next = perflib.new_set();
  ASSERT_TRUE(perflib.open(next, {}));
  EXPECT_TRUE(is_lost(perflib.collect(next).error().code)) << "the same requests, whatever the set";
  EXPECT_EQ(perflib.worker()->state().starts, 2U) << "nobody was asked";
}

TEST_F(WorkerTest, TheSourceAnswersAsTheMachineItself) {
  WorkerSource source(std::make_unique<winperf::testing::FakeSource>(), options("registry"));
  const auto reply = source.query("2", {});
  ASSERT_TRUE(reply);
  ASSERT_THAT(reply->blocks, SizeIs(1));
  const auto tables = source.text_tables(TextTable::kCounter, Language::kEnglish);
  ASSERT_THAT(tables, SizeIs(1));
  ASSERT_TRUE(tables[0]);
  EXPECT_GT(tables[0]->size(), 100U);
  const pid_t process = static_cast<pid_t>(source.workers().front()->state().process_id);
  source.release();
  EXPECT_FALSE(exists(process)) << "its providers are unloaded with it";
  EXPECT_TRUE(source.query("2", {}));
}

TEST_F(WorkerTest, ACallCanBeWaitedForLater) {
  Worker worker(options("registry"));
  ASSERT_TRUE(ask(worker));
  const Request request{.operation = Operation::kQuery, .text = "2"};
  ASSERT_TRUE(worker.begin(request, "2", {}));
  EXPECT_TRUE(worker.is_pending());
  const auto reply = worker.finish_by(Worker::Time::max(), {});
  ASSERT_TRUE(reply);
  EXPECT_FALSE(worker.is_pending());
  EXPECT_THAT(reply->parts, SizeIs(1));
}

TEST_F(WorkerTest, ACallThatIsNotOverIsPending) {
  Worker worker(options("registry"));
  ASSERT_TRUE(ask(worker));
  fault("hang_collect");
  ASSERT_TRUE(worker.begin({.operation = Operation::kQuery, .text = kFaulty}, kFaulty, {}));
  for (int i = 0; i < 2; ++i) {
    const auto reply = worker.finish_by(Worker::Time{}, {});
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code, ErrorCode::kPending);
    EXPECT_EQ(reply.error().limit, 600'000U);
    EXPECT_TRUE(worker.is_pending());
  }
  EXPECT_EQ(worker.state().queries, 1U) << "it counts when it is over";
  const pid_t process = id_of(worker);
  worker.finish();
  EXPECT_FALSE(exists(process)) << "nobody waits for its providers";
  EXPECT_FALSE(worker.is_pending());
}

TEST_F(WorkerTest, PerflibsSetsEndWithTheirProcess) {
  WorkerPerflib perflib(options("perflib"));
  const std::vector<v2::CounterRequest> requests{{.counter_id = 7}};
  const PerflibSet set = perflib.new_set();
  const PerflibSet other = perflib.new_set();
  ASSERT_TRUE(perflib.open(set, requests));
  ASSERT_TRUE(perflib.open(other, {}));
  EXPECT_TRUE(perflib.collect(set));

  fault("terminate_perflib");
  EXPECT_EQ(perflib.collect(other).error().code, ErrorCode::kWorkerCrashed);

  fault("");
  EXPECT_TRUE(is_not_open(perflib.collect(set).error()));
  ASSERT_TRUE(perflib.open(set, requests));
  EXPECT_TRUE(perflib.collect(set));
}

}  // namespace
}  // namespace winperf::worker
