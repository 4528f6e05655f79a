// The worker's side of the connection, in the executable with the simulated machine.
#include "collectors/worker/parent_link.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "collectors/base/posix/descriptor.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/posix/shared_mapping.h"
#include "collectors/worker/worker_process.h"
#include "tests/collectors/sources/temp_dir.h"

extern char** environ;

namespace winperf::worker {
namespace {

using ::testing::HasSubstr;

constexpr std::size_t kSharedBytes = std::size_t{1} << 20;
constexpr std::uint32_t kUsage = 2;

Wake next_wake(WorkerProcess& process) {
  return process.wait(std::chrono::steady_clock::now() + std::chrono::hours(1));
}

class ParentLinkTest : public ::testing::Test {
 protected:
  ParentLinkTest() {
    setenv("WINPERF_SIMULATOR", "faulty", 1);
    setenv("WINPERF_FAULT_FILE", fault_file_.c_str(), 1);
  }
  static std::unique_ptr<WorkerProcess> start() {
    auto process = start_worker({.executable = WINPERF_SIMULATED,
                                 .words = {"worker", "registry"},
                                 .shared_bytes = kSharedBytes});
    EXPECT_TRUE(process);
    if (!process) return nullptr;
    EXPECT_EQ(next_wake(**process), Wake::kReply) << "it says that it is up";
    EXPECT_TRUE(is_up((*process)->shared()));
    return *std::move(process);
  }
  static void ask(WorkerProcess& process, Operation operation, std::string_view text = "") {
    ASSERT_TRUE(write_request(
        process.shared(),
        {.operation = operation, .sequence = 1, .time_ms = 1'000, .text = std::string(text)}));
    process.wake();
    EXPECT_EQ(next_wake(process), Wake::kReply);
    EXPECT_TRUE(read_reply(process.shared(), 1));
  }
  // How it ends if a shell changes what it inherits.
  static std::optional<EndStatus> end_with(const std::string& change) {
    const std::string command =
        std::string("exec ") + WINPERF_SIMULATED + " worker registry 2>/dev/null ";
    const auto process = start_worker(
        {.executable = "/bin/sh", .words = {"-c", command + change}, .shared_bytes = kSharedBytes});
    EXPECT_TRUE(process);
    EXPECT_EQ(next_wake(**process), Wake::kEnded) << change;
    return (*process)->end();
  }

  const winperf::testing::TempDir folder_;
  const std::string fault_file_ = folder_.path() / "fault";
};

TEST_F(ParentLinkTest, AnswersUntilTheEndIsAskedFor) {
  const auto process = start();
  ask(*process, Operation::kQuery, "2");
  ask(*process, Operation::kQuery, "2");
  ask(*process, Operation::kEnd);
  EXPECT_EQ(next_wake(*process), Wake::kEnded);
  const auto status = process->end();
  ASSERT_TRUE(status);
  EXPECT_FALSE(status->crashed);
  EXPECT_EQ(status->code, 0U);
}

TEST_F(ParentLinkTest, IsForProgramsAndNotForPeople) {
  folder_.write("empty", "");
  folder_.write("full", "full");
  const std::string folder = folder_.path();
  for (const std::string& change :
       {std::string("word"), std::string("3<&-"), std::string("3</dev/null"), std::string("3<&4"),
        std::string("4</dev/null"), std::string("4<&3"), "3<" + folder + "/empty",
        "3<" + folder + "/full"}) {
    const auto status = end_with(change);
    ASSERT_TRUE(status) << change;
    EXPECT_FALSE(status->crashed) << change;
    EXPECT_EQ(status->code, kUsage) << change;
  }
}

TEST_F(ParentLinkTest, LeavesTheCallersFolderAndDumpsNoCore) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_CORE, &before), 0);
  const rlimit most{.rlim_cur = before.rlim_max, .rlim_max = before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_CORE, &most), 0);
  const auto process = start();
  ASSERT_EQ(setrlimit(RLIMIT_CORE, &before), 0);
  ask(*process, Operation::kQuery, "2");
  const std::string folder = "/proc/" + std::to_string(process->id());
  EXPECT_NE(std::filesystem::current_path(), "/");
  EXPECT_EQ(std::filesystem::read_symlink(folder + "/cwd"), "/");
  std::ifstream limits(folder + "/limits");
  std::string line;
  while (std::getline(limits, line) && !line.starts_with("Max core file size")) continue;
  EXPECT_THAT(line, HasSubstr("  0                    0  "));
}

// A process whose parent this test plays: nothing but the closed connection ends it.
class Orphan {
 public:
  Orphan() {
    memory_.emplace(SharedMapping::open(memory_file_.get(), kSharedBytes).value());
    std::array<int, 2> pair{};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()), 0);
    socket_ = pair[0];
    const Descriptor other = above(pair[1]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, memory_file_.get(), 3);
    posix_spawn_file_actions_adddup2(&actions, other.get(), 4);
    std::array<std::string, 3> words{WINPERF_SIMULATED, "worker", "registry"};
    const std::array<char*, 4> pointers{words[0].data(), words[1].data(), words[2].data(), nullptr};
    EXPECT_EQ(posix_spawn(&id_, WINPERF_SIMULATED, &actions, nullptr, pointers.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  void ask(std::string_view text) {
    ASSERT_TRUE(write_request(memory_->bytes(),
                              {.operation = Operation::kQuery, .text = std::string(text)}));
    ASSERT_EQ(send(socket_, "x", 1, MSG_NOSIGNAL), 1);
  }
  // How it ends when its parent has gone.
  int end() {
    close(socket_);
    int status = 0;
    EXPECT_EQ(waitpid(id_, &status, 0), id_);
    return status;
  }

 private:
  // Not where the process has its own.
  static Descriptor above(int number) {
    const Descriptor low(number);
    return Descriptor(fcntl(low.get(), F_DUPFD_CLOEXEC, 10));
  }
  static Descriptor make_memory() {
    Descriptor memory = above(memfd_create("orphan", MFD_CLOEXEC));
    EXPECT_EQ(ftruncate(memory.get(), kSharedBytes), 0);
    return memory;
  }

  const Descriptor memory_file_ = make_memory();
  std::optional<SharedMapping> memory_;
  int socket_ = -1;
  pid_t id_ = 0;
};

// Whichever of its two threads notices it first.
TEST_F(ParentLinkTest, EndsWithTheParent) {
  Orphan process;
  EXPECT_TRUE(WIFEXITED(process.end()));
}

TEST_F(ParentLinkTest, EndsWithTheParentInSpiteOfAProviderThatHangs) {
  folder_.write("fault", "hang_collect");
  Orphan process;
  process.ask("3000");
  EXPECT_TRUE(WIFEXITED(process.end())) << "with 1 if it can no longer say that it is up";
}

}  // namespace
}  // namespace winperf::worker
