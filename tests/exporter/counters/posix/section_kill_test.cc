// A process that publishes as fast as it can is killed at any moment, and another one takes over:
// whoever reads has a whole state, after each kill.
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <random>
#include <span>
#include <string>

#include "exporter/counters/section_writer.h"
#include "exporter/counters/shared_section.h"
#include "tests/exporter/counters/section_states.h"
#include "tests/support/thorough.h"

namespace winperf::own {
namespace {

// Of the section, as another process reads it.
class KilledWriters : public ::testing::Test {
 protected:
  KilledWriters() : file_(file_name()), section_(create_shared_section(file_).value()) {}
  ~KilledWriters() override { std::filesystem::remove(file_); }

  static std::string file_name() {
    std::string name = (std::filesystem::temp_directory_path() / "own-section-XXXXXX").string();
    close(mkstemp(name.data()));
    return name;
  }

  // Forked, it shares the mapping. It neither allocates from the second state on nor ends.
  [[noreturn]] void publish_for_ever() {
    SectionWriter writer(section_->words());
    OwnState state;
    while (true) {
      const std::uint64_t number = writer.next_number();
      testing::become(state, number, testing::row_count_of(number));
      writer.publish(state);
    }
  }

  std::span<const Word> words() { return section_->words(); }
  std::uint64_t newest() {
    const auto copy = SectionView(words()).newest();
    return copy ? copy->number() : 0;
  }
  // Whether a state was being written when its writer died.
  bool has_torn_copy() {
    for (std::size_t which = 0; which < 2; ++which) {
      const auto copy = words().subspan(kHeadWords + which * kOwnCopyWords, kOwnCopyWords);
      if (copy.front() != copy.back()) return true;
    }
    return false;
  }
  // Of a new writer: after some of its states, or before its first one.
  void kill_one() {
    const std::uint64_t before = newest();
    const pid_t writer = fork();
    if (writer == 0) publish_for_ever();
    ASSERT_GT(writer, 0);
    const auto states = std::uniform_int_distribution<std::uint64_t>(0, 3)(dice_);
    while (newest() < before + states) sched_yield();
    // Up to about the time of an update.
    for (auto left = std::uniform_int_distribution<int>(0, 2'000)(dice_); left > 0; --left)
      (void)words().front().load();
    ASSERT_EQ(kill(writer, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(writer, &status, 0), writer);
    ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  }

  const std::string file_;
  const std::unique_ptr<SharedSection> section_;
  std::mt19937 dice_{42};
};

TEST_F(KilledWriters, LeaveAWholeState) {
  const std::size_t kills = winperf::testing::tried(500, 100'000);
  std::size_t torn = 0;
  std::uint64_t last = 0;
  for (std::size_t i = 0; i < kills; ++i) {
    ASSERT_NO_FATAL_FAILURE(kill_one());
    torn += has_torn_copy() ? 1 : 0;
    const auto copy = SectionView(words()).newest();
    if (!copy && last == 0) continue;  // the first ones may have died before their first state
    ASSERT_TRUE(copy) << "after kill " << i;
    ASSERT_EQ(testing::wrong_in(*copy), "") << "after kill " << i;
    ASSERT_GE(copy->number(), last) << "after kill " << i;
    last = copy->number();
  }
  RecordProperty("torn", std::to_string(torn));
  RecordProperty("states", std::to_string(last));
  EXPECT_GT(torn, 0U);
  EXPECT_LT(torn, kills) << "a kill between two updates is a case, too";
  EXPECT_GT(last, kills);
}

}  // namespace
}  // namespace winperf::own
