// What is known of a process that a real DLL has harmed: whose code it ran, and what was left.
#include <gmock/gmock.h>

#include <deque>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "collectors/worker/frame.h"
#include "collectors/worker/worker.h"

namespace winperf::worker {
namespace {

using std::chrono::milliseconds;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kControlFile[] = "faulty.txt";  // beside the DLL, which is beside the test

class Traces : public ::testing::Test {
 protected:
  ~Traces() override { std::filesystem::remove(kControlFile); }

  static WorkerOptions options() {
    WorkerOptions options{
        .name = "with a blank", .executable = WINPERF_HARMFUL, .words = {}, .limits = {}};
    // Nothing but what hangs comes near them.
    options.limits.shortest_timeout = milliseconds(5'000);
    options.limits.longest_timeout = milliseconds(10'000);
    return options;
  }
  static void tell(const std::string& word) { std::ofstream(kControlFile) << word; }
  static std::expected<Reply, Error> ask(Worker& worker, std::string_view name = "100") {
    return worker.call({.operation = Operation::kQuery, .text = std::string(name)}, name, {});
  }
};

TEST_F(Traces, NameTheLibraryThatWasOnTheStack) {
  for (const std::string word : {"av", "exit", "abort", "cxx", "hang", "spin"}) {
    Worker worker(options());
    tell("");
    ASSERT_TRUE(ask(worker)) << word;
    tell(word + "_open");
    EXPECT_FALSE(ask(worker)) << word;
    const auto traces = worker.take_traces();
    ASSERT_THAT(traces, SizeIs(1)) << word;
    EXPECT_THAT(traces[0].modules, Contains("faulty.dll")) << word;
    const auto events = worker.take_events();
    ASSERT_THAT(events, SizeIs(1)) << word;
    EXPECT_THAT(describe(events[0]), ::testing::HasSubstr("faulty.dll")) << word;
  }
}

TEST_F(Traces, OfAProcessThatIsWellAreNone) {
  Worker worker(options());
  tell("");
  ASSERT_TRUE(ask(worker));
  worker.finish();
  EXPECT_THAT(worker.take_traces(), IsEmpty());
}

TEST_F(Traces, AreNotNeededForWhatIsLeftBehind) {
  Worker worker(options());
  tell("fpu_open");
  const auto reply = ask(worker);
  ASSERT_TRUE(reply);
  EXPECT_EQ(describe_side_effects(reply->side_effects), "left a changed floating-point unit");
  tell("");
  EXPECT_EQ(ask(worker)->side_effects, 0U) << "it was restored";
}

// Only what was needed is in use, and both processes have it.
TEST_F(Traces, AndTheMemoryGrowsWithReplies) {
  Worker worker(options());
  tell("");
  ASSERT_TRUE(ask(worker));
  const auto reply = ask(worker, "30000000");
  ASSERT_TRUE(reply);
  EXPECT_THAT(*reply->parts.at(0), SizeIs(30'000'000));
}

// What is reserved for the largest reply isn't taken from all programs: a machine with as many
// providers as there may be hosts commits what their replies need. Prints the figure.
TEST_F(Traces, AndManyWorkersCommitLittle) {
  constexpr std::size_t kWorkers = 64;
  constexpr std::size_t kReplyBytes = 50'000;
  constexpr std::uint64_t kMostEach = kHeadBytes + kReplyBytes + kReplyBytes / 4 + 65'536;
  tell("");
  // A clock that is never ahead of the system's, which the waits go by.
  static std::chrono::seconds behind{};
  WorkerOptions with_clock = options();
  with_clock.now = [] { return std::chrono::steady_clock::now() - behind; };
  std::deque<Worker> workers;
  std::uint64_t committed = 0;
  for (std::size_t i = 0; i < kWorkers; ++i) {
    behind = std::chrono::seconds(10);
    Worker& worker = workers.emplace_back(with_clock);
    ASSERT_TRUE(ask(worker, std::to_string(kReplyBytes))) << i;
    behind = std::chrono::seconds(0);  // its memory is looked at again
    ASSERT_TRUE(ask(worker, std::to_string(kReplyBytes))) << i;
    const auto shared = worker.state().shared_bytes;
    ASSERT_TRUE(shared) << i;
    EXPECT_GE(*shared, kHeadBytes + kReplyBytes) << i;
    EXPECT_LE(*shared, kMostEach) << i;
    committed += *shared;
  }
  const std::uint64_t reserved = kWorkers * (kHeadBytes + with_clock.limits.max_reply_bytes);
  std::cout << kWorkers << " workers: " << committed / 1024 << " KiB committed of "
            << reserved / 1024 << " KiB reserved\n";
}

}  // namespace
}  // namespace winperf::worker
