// start_worker() with a shell as the worker: it has the memory at 3 and the socket at 4.
#include "collectors/worker/worker_process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <string_view>

#include "collectors/base/posix/descriptor.h"
#include "collectors/base/posix/proc_folder.h"
#include "tests/collectors/sources/temp_dir.h"

namespace winperf::worker {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::StartsWith;

using Clock = std::chrono::steady_clock;
using Started = std::expected<std::unique_ptr<WorkerProcess>, Error>;

constexpr std::chrono::hours kLongWait{1};
constexpr std::size_t kShared = 8192;
// What the shell does. For its own commands, and when it becomes another program, it has other
// descriptors for a moment; while it waits for another process that rings, it has not.
constexpr char kRing[] = "(printf x >&4); ";
constexpr char kRingAndStay[] = "(printf x >&4; exec cat <&4 >/dev/null); :";
constexpr char kStay[] = "exec cat <&4 >/dev/null";

Started start(const std::string& script, std::size_t shared_bytes = kShared) {
  return start_worker(
      {.executable = "/bin/sh", .words = {"-c", script}, .shared_bytes = shared_bytes});
}

Error start_error(int code) {
  return {.code = ErrorCode::kWorkerStart,
          .where = "worker",
          .os_code = static_cast<std::uint32_t>(code)};
}

Wake wait(WorkerProcess& process) { return process.wait(Clock::now() + kLongWait); }

std::string text_in(WorkerProcess& process) {
  const auto shared = process.shared();
  return reinterpret_cast<const char*>(shared.data());
}

std::string proc(const WorkerProcess& process) { return "/proc/" + std::to_string(process.id()); }

// The value of a line such as "SigBlk:\t0000000000000000".
std::string line_of(const std::string& file, const std::string& name) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(name)) return line.substr(line.find_first_not_of(" \t", name.size()));
  return "no such line";
}

std::map<std::string, std::string> files_of(const WorkerProcess& process) {
  std::map<std::string, std::string> files;
  for (const auto& file : std::filesystem::directory_iterator(proc(process) + "/fd"))
    files[file.path().filename()] = std::filesystem::read_symlink(file.path());
  return files;
}

TEST(WorkerProcess, HasTheWordsOfItsCommand) {
  const auto process =
      start_worker({.executable = "/bin/sh",
                    .words = {"-c", "printf %s \"$0 $1,$#\" >&3; (printf x >&4)", "a b", "c"},
                    .shared_bytes = kShared});
  ASSERT_TRUE(process);
  EXPECT_EQ(wait(**process), Wake::kReply);
  EXPECT_EQ(text_in(**process), "a b c,1");
}

TEST(WorkerProcess, SharesItsMemoryWhichIsZeroAtFirst) {
  const auto process = start(kStay, 5'000);
  ASSERT_TRUE(process);
  const auto shared = (*process)->shared();
  EXPECT_EQ(shared.size(), 5'000U);
  EXPECT_TRUE(std::ranges::all_of(shared, [](std::byte byte) { return byte == std::byte{}; }));
  EXPECT_EQ(std::filesystem::file_size(proc(**process) + "/fd/3"), 5'000U);
}

// It could otherwise end whoever reads it.
TEST(WorkerProcess, CannotCutItsMemoryOff) {
  const auto process = start(kRingAndStay);
  ASSERT_TRUE(process);
  ASSERT_EQ(wait(**process), Wake::kReply);
  const Descriptor memory(open((proc(**process) + "/fd/3").c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_TRUE(memory);
  EXPECT_EQ(fcntl(memory.get(), F_GET_SEALS), F_SEAL_SHRINK | F_SEAL_GROW);
  EXPECT_NE(ftruncate(memory.get(), 100), 0);
  EXPECT_NE(ftruncate(memory.get(), 10'000), 0);
}

TEST(WorkerProcess, HasWhatItNeedsAndNothingElse) {
  // What another part of this program has left open for its children.
  const bool is_free = fcntl(5, F_GETFD) < 0;
  if (is_free) {
    ASSERT_EQ(dup2(STDERR_FILENO, 5), 5);
  }
  const Descriptor other(fcntl(STDERR_FILENO, F_DUPFD, 20));
  const auto process = start(kRingAndStay);
  if (is_free) close(5);
  ASSERT_TRUE(process);
  ASSERT_EQ(wait(**process), Wake::kReply);
  auto files = files_of(**process);
  files.erase("0");  // of the script
  EXPECT_THAT(files,
              ElementsAre(Pair("1", "/dev/null"),
                          Pair("2", std::filesystem::read_symlink("/proc/self/fd/2").string()),
                          Pair("3", StartsWith("/memfd:winperf_worker")),
                          Pair("4", StartsWith("socket:"))));
}

TEST(WorkerProcess, HasNothingToReadAndNobodyToWriteTo) {
  const auto process = start(std::string("read -r line; printf %s \"$?\" >&3; ") + kRingAndStay);
  ASSERT_TRUE(process);
  ASSERT_EQ(wait(**process), Wake::kReply);
  EXPECT_EQ(text_in(**process), "1") << "the end of the file";
  EXPECT_EQ(std::filesystem::read_symlink(proc(**process) + "/fd/0"), "/dev/null");
  EXPECT_THAT(line_of(proc(**process) + "/fdinfo/0", "flags:"), ::testing::EndsWith("0"));
  EXPECT_THAT(line_of(proc(**process) + "/fdinfo/1", "flags:"), ::testing::EndsWith("1"));
}

TEST(WorkerProcess, TakesNoSettingsOfSignalsOver) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR1);
  sigset_t before;
  sigprocmask(SIG_BLOCK, &blocked, &before);
  const auto handler = std::signal(SIGUSR2, SIG_IGN);
  const auto process = start(kRingAndStay);
  std::signal(SIGUSR2, handler);
  sigprocmask(SIG_SETMASK, &before, nullptr);
  ASSERT_TRUE(process);
  ASSERT_EQ(wait(**process), Wake::kReply);
  const std::string status = proc(**process) + "/status";
  EXPECT_EQ(line_of(status, "SigBlk:"), "0000000000000000");
  const auto ignored = std::stoull(line_of(status, "SigIgn:"), nullptr, 16);
  EXPECT_EQ(ignored >> (SIGUSR2 - 1) & 1U, 0U);
}

TEST(WorkerProcess, IsAGroupOfItsOwn) {
  const auto process = start(kStay);
  ASSERT_TRUE(process);
  const auto id = static_cast<pid_t>((*process)->id());
  EXPECT_EQ(getpgid(id), id);
  EXPECT_NE(id, getpgid(0));
}

TEST(WorkerProcess, EndsWithWhatItHasStarted) {
  const testing::TempDir folder;
  const std::string pipe = folder.path() / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const auto process = start("cat <&4 >'" + pipe + "' & " + kStay);
  ASSERT_TRUE(process);
  const Descriptor reader(open(pipe.c_str(), O_RDONLY | O_CLOEXEC));  // when there is a writer
  ASSERT_TRUE(reader);
  EXPECT_EQ((*process)->end(), std::nullopt);
  char byte = 0;
  EXPECT_EQ(read(reader.get(), &byte, 1), 0) << "nobody has it open";
}

TEST(WorkerProcess, IsWokenOnceByEachWake) {
  const auto process = start("for i in 1 2; do dd bs=9 count=1 <&4 2>/dev/null | wc -c >&3; " +
                             std::string(kRing) + "done; " + kStay);
  ASSERT_TRUE(process);
  (*process)->wake();
  EXPECT_EQ(wait(**process), Wake::kReply);
  EXPECT_EQ(text_in(**process), "1\n");
  (*process)->wake();
  EXPECT_EQ(wait(**process), Wake::kReply);
  EXPECT_EQ(text_in(**process), "1\n1\n");
}

TEST(WorkerProcess, RepliesHoweverMuchItWrites) {
  const auto process = start(std::string("(printf 'much more' >&4); ") + kRing + kStay);
  ASSERT_TRUE(process);
  EXPECT_EQ(wait(**process), Wake::kReply);
  EXPECT_EQ(wait(**process), Wake::kReply);
  EXPECT_EQ((*process)->wait(Clock::now()), Wake::kTimeOver);
}

TEST(WorkerProcess, ThatIsSilentLetsTheTimePass) {
  const auto process = start(kStay);
  ASSERT_TRUE(process);
  EXPECT_EQ((*process)->wait(Clock::now()), Wake::kTimeOver);
  EXPECT_EQ((*process)->wait(Clock::now() - kLongWait), Wake::kTimeOver);
  const auto until = Clock::now() + std::chrono::milliseconds(20);
  EXPECT_EQ((*process)->wait(until), Wake::kTimeOver);
  EXPECT_GE(Clock::now(), until);
}

volatile std::sig_atomic_t signals = 0;

TEST(WorkerProcess, IsStillWaitedForAfterASignalOfTheParents) {
  signals = 0;
  struct sigaction counting{};
  counting.sa_handler = [](int) { signals = signals + 1; };
  struct sigaction before{};
  ASSERT_EQ(sigaction(SIGUSR1, &counting, &before), 0);
  const auto process = start(std::string("kill -USR1 $PPID; ") + kRing + kStay);
  ASSERT_TRUE(process);
  EXPECT_EQ(wait(**process), Wake::kReply);
  EXPECT_EQ(signals, 1);
  sigaction(SIGUSR1, &before, nullptr);
  errno = EINTR;  // left over
  EXPECT_EQ((*process)->wait(Clock::now()), Wake::kTimeOver);
}

TEST(WorkerProcess, InterruptionEndsOneWait) {
  const auto process = start(kStay);
  ASSERT_TRUE(process);
  (*process)->interrupt();
  EXPECT_EQ(wait(**process), Wake::kInterrupted);
  EXPECT_EQ((*process)->wait(Clock::now()), Wake::kTimeOver);
  (*process)->interrupt();
  (*process)->interrupt();
  EXPECT_EQ(wait(**process), Wake::kInterrupted);
  EXPECT_EQ((*process)->wait(Clock::now()), Wake::kTimeOver) << "both ended the same one";
}

TEST(WorkerProcess, ReplyIsStillThereAfterAnInterruption) {
  const auto process = start(std::string(kRing) + kRing + kStay);
  ASSERT_TRUE(process);
  EXPECT_EQ(wait(**process), Wake::kReply);
  (*process)->interrupt();
  EXPECT_EQ(wait(**process), Wake::kInterrupted);
  EXPECT_EQ(wait(**process), Wake::kReply);
}

TEST(WorkerProcess, SaysHowItEnded) {
  struct Row {
    const char* script;
    bool crashed;
    std::uint32_t code;
  };
  for (const Row& row :
       {Row{"exit 0", false, 0}, Row{"exit 1", false, 1}, Row{"exit 255", false, 255},
        Row{"kill -9 $$", true, 9}, Row{"kill -11 $$", true, 11}}) {
    const auto process = start(row.script);
    ASSERT_TRUE(process);
    EXPECT_EQ(wait(**process), Wake::kEnded);
    for (int i = 0; i < 2; ++i) {
      const auto status = (*process)->end();
      ASSERT_TRUE(status) << row.script;
      EXPECT_EQ(status->crashed, row.crashed) << row.script;
      EXPECT_EQ(status->code, row.code) << row.script;
    }
  }
}

TEST(WorkerProcess, RepliesBeforeItsEndAreThere) {
  const auto process = start(std::string("printf last >&3; ") + kRing + "exit 3");
  ASSERT_TRUE(process);
  EXPECT_EQ(wait(**process), Wake::kReply);
  EXPECT_EQ(wait(**process), Wake::kEnded);
  EXPECT_EQ((*process)->end()->code, 3U);
  EXPECT_EQ(text_in(**process), "last");
}

TEST(WorkerProcess, ThatRunsIsEndedWithoutAStatus) {
  for (const char* const script : {kStay, "exec 4>&-; exec sleep 100"}) {
    const auto process = start(script);
    ASSERT_TRUE(process);
    if (script != kStay) {
      EXPECT_EQ(wait(**process), Wake::kEnded) << "its connection is lost";
    }
    const auto id = static_cast<pid_t>((*process)->id());
    EXPECT_EQ((*process)->end(), std::nullopt);
    EXPECT_NE(kill(id, 0), 0) << "it is gone";
    EXPECT_EQ((*process)->end(), std::nullopt);
    EXPECT_EQ((*process)->id(), 0U);
  }
}

// Then the system itself takes note of their ends.
TEST(WorkerProcess, IsEndedWhereNobodyWaitsForChildren) {
  const auto before = std::signal(SIGCHLD, SIG_IGN);
  const auto process = start(kStay);
  ASSERT_TRUE(process);
  const auto id = static_cast<pid_t>((*process)->id());
  EXPECT_EQ((*process)->end(), std::nullopt);
  std::signal(SIGCHLD, before);
  EXPECT_NE(kill(id, 0), 0);
}

TEST(WorkerProcess, LeavesNothingBehind) {
  const auto own_files = proc_open_files("/proc/self");
  pid_t id = 0;
  {
    const auto process = start(kStay);
    ASSERT_TRUE(process);
    id = static_cast<pid_t>((*process)->id());
  }
  EXPECT_NE(kill(id, 0), 0);
  EXPECT_EQ(waitpid(id, nullptr, WNOHANG), -1) << "nobody has to wait for it";
  EXPECT_EQ(proc_open_files("/proc/self"), own_files);
  std::ifstream maps("/proc/self/maps");
  const std::string all{std::istreambuf_iterator<char>(maps), {}};
  EXPECT_THAT(all, ::testing::Not(HasSubstr("winperf_worker")));
}

TEST(WorkerProcess, SaysWhatItHasInUse) {
  const auto process = start(kRingAndStay);
  ASSERT_TRUE(process);
  ASSERT_EQ(wait(**process), Wake::kReply);
  const auto id = static_cast<pid_t>((*process)->id());
  kill(id, SIGSTOP);
  waitpid(id, nullptr, WUNTRACED);
  const ProcessUse use = (*process)->use();
  EXPECT_EQ(use.threads, 1U);
  EXPECT_EQ(use.handles, 5U);
  std::uint64_t all = 0;
  std::uint64_t resident = 0;
  std::uint64_t shared = 0;
  std::ifstream(proc(**process) + "/statm") >> all >> resident >> shared;
  EXPECT_GT(resident, shared);
  EXPECT_GT(shared, 0U);
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  EXPECT_EQ(use.private_bytes, (resident - shared) * page);
  EXPECT_EQ((*process)->end(), std::nullopt);
  const ProcessUse after = (*process)->use();
  EXPECT_EQ(after.private_bytes, std::nullopt);
  EXPECT_EQ(after.handles, std::nullopt);
  EXPECT_EQ(after.threads, std::nullopt);
}

TEST(WorkerProcess, WithoutItsFileCannotBeStarted) {
  const auto process =
      start_worker({.executable = "/nothing", .words = {}, .shared_bytes = kShared});
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error(), start_error(ENOENT));
}

TEST(WorkerProcess, WithoutItsMemoryCannotBeStarted) {
  EXPECT_EQ(start(kStay, std::numeric_limits<std::size_t>::max()).error(), start_error(EINVAL));
  EXPECT_EQ(start(kStay, 0).error(), start_error(EINVAL));
  EXPECT_EQ(start(kStay, std::size_t{1} << 62).error(), start_error(ENOMEM));
}

// Each step that needs one more descriptor fails in its turn, and leaves nothing open.
TEST(WorkerProcess, WithoutDescriptorsCannotBeStarted) {
  std::vector<Descriptor> low;  // so that all the others are above
  while (low.empty() || low.back().get() < 10) low.emplace_back(dup(STDERR_FILENO));
  const auto first_free = static_cast<rlim_t>(Descriptor(dup(STDERR_FILENO)).get());
  const auto open_before = proc_open_files("/proc/self");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  std::vector<Error> errors;
  for (rlim_t more = 0; more < 10; ++more) {
    const rlimit few{.rlim_cur = first_free + more, .rlim_max = before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    const auto process = start(kStay);
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    if (process) break;
    errors.push_back(process.error());
    EXPECT_EQ(proc_open_files("/proc/self"), open_before) << more;
  }
  EXPECT_THAT(errors, ::testing::SizeIs(4));
  EXPECT_THAT(errors, ::testing::Each(start_error(EMFILE)));
}

TEST(OwnExecutable, IsTheFileThatRuns) {
  EXPECT_EQ(own_executable().filename(), "worker_test");
  EXPECT_TRUE(std::filesystem::equivalent(own_executable(), "/proc/self/exe"));
}

}  // namespace
}  // namespace winperf::worker
