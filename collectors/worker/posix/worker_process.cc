#include "collectors/worker/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <string>
#include <utility>

#include "collectors/base/posix/descriptor.h"
#include "collectors/base/posix/proc_folder.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/own_process.h"
#include "collectors/worker/posix/shared_mapping.h"

extern char** environ;

namespace winperf::worker {
namespace {

using Time = std::chrono::steady_clock::time_point;

std::unexpected<Error> start_failure(int code) {
  return std::unexpected(Error{.code = ErrorCode::kWorkerStart,
                               .where = "worker",
                               .os_code = static_cast<std::uint32_t>(code)});
}

EndStatus status_of(int status) {
  if (WIFSIGNALED(status))
    return {.crashed = true, .code = static_cast<std::uint32_t>(WTERMSIG(status))};
  return {.crashed = false, .code = static_cast<std::uint32_t>(WEXITSTATUS(status))};
}

timespec until_then(Time time) {
  const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(
      std::max(time - std::chrono::steady_clock::now(), Time::duration::zero()));
  constexpr std::int64_t kSecond = 1'000'000'000;
  return {.tv_sec = left.count() / kSecond, .tv_nsec = left.count() % kSecond};
}

double cpu_seconds_of(pid_t process) {
  constexpr double kNanosecond = 1e-9;
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * kNanosecond;
}

// From /proc, except CPU time.
ProcessUse process_use(pid_t process) {
  const std::string folder = "/proc/" + std::to_string(process);
  ProcessUse use{
      .private_bytes = {}, .handles = proc_open_files(folder), .threads = proc_threads(folder)};
  if (const auto memory = proc_memory(folder))
    use.private_bytes = memory->resident - std::min(memory->shared, memory->resident);
  return use;
}

class PosixWorker final : public WorkerProcess {
 public:
  PosixWorker(pid_t id, Descriptor socket, Descriptor interrupted, SharedMapping memory)
      : id_(id),
        socket_(std::move(socket)),
        interrupted_(std::move(interrupted)),
        memory_(std::move(memory)) {}
  ~PosixWorker() override { end(); }

  std::span<std::byte> shared() override { return memory_.bytes(); }
  std::uint64_t id() const override { return static_cast<std::uint64_t>(id_.value_or(0)); }

  void wake() override {
    const char byte = 0;
    static_cast<void>(send(socket_.get(), &byte, 1, MSG_NOSIGNAL));
  }

  Wake wait(Time until) override {
    std::array<pollfd, 2> waited{pollfd{.fd = socket_.get(), .events = POLLIN, .revents = 0},
                                 pollfd{.fd = interrupted_.get(), .events = POLLIN, .revents = 0}};
    for (;;) {
      const timespec left = until_then(until);
      const int ready = ppoll(waited.data(), waited.size(), &left, nullptr);
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return Wake::kTimeOver;
      if (waited[1].revents != 0) {
        std::uint64_t count = 0;
        static_cast<void>(::read(interrupted_.get(), &count, sizeof count));
        return Wake::kInterrupted;
      }
      char byte = 0;
      if (recv(socket_.get(), &byte, 1, MSG_DONTWAIT) == 1) return Wake::kReply;
      let_it_go();
      return Wake::kEnded;
    }
  }

  void interrupt() override {
    const std::uint64_t one = 1;
    static_cast<void>(::write(interrupted_.get(), &one, sizeof one));
  }

  bool ask_for_trace() override {
    return id_ && syscall(SYS_tgkill, *id_, *id_, kWhereSignal) == 0;
  }

  std::optional<EndStatus> end() override {
    if (!id_) return ended_;
    int status = 0;
    if (waitpid(*id_, &status, WNOHANG) == *id_) {
      ended_ = status_of(status);
    } else {
      kill(-*id_, SIGKILL);  // its group, including processes that a provider may have started
      while (waitpid(*id_, &status, 0) < 0 && errno == EINTR) continue;
    }
    id_.reset();
    return ended_;
  }

  ProcessUse use() const override {
    if (!id_) return {};
    ProcessUse use = process_use(*id_);
    use.shared_bytes = memory_.used_bytes();
    use.cpu_seconds = cpu_seconds_of(*id_);
    return use;
  }

 private:
  // A connection closes a moment before its process has ended and its exit status is available.
  void let_it_go() const {
    constexpr int kMoment = 1'000;  // milliseconds; a sanitizer checks for leaks first
    const Descriptor process(static_cast<int>(syscall(SYS_pidfd_open, id_.value_or(0), 0)));
    pollfd ending{.fd = process.get(), .events = POLLIN, .revents = 0};
    poll(&ending, 1, kMoment);
  }

  // Nothing: it has ended. A wrong number might send a signal to all processes.
  std::optional<pid_t> id_;
  std::optional<EndStatus> ended_;
  Descriptor socket_;
  Descriptor interrupted_;
  SharedMapping memory_;
};

constexpr int kFirstClosed = kInheritedSocket + 1;

// An inherited descriptor must not have one of these numbers already, since one dup2() would close
// the other; so it is moved up first.
Descriptor moved_up(Descriptor descriptor) {
  if (!descriptor) return descriptor;  // errno says why
  return Descriptor(fcntl(descriptor.get(), F_DUPFD_CLOEXEC, kFirstClosed));
}

std::expected<pid_t, int> spawn(const WorkerCommand& command, int memory, int socket) {
  std::vector<std::string> words{command.executable.string()};
  words.insert(words.end(), command.words.begin(), command.words.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, memory, kInheritedMemory);
  posix_spawn_file_actions_adddup2(&actions, socket, kInheritedSocket);
  posix_spawn_file_actions_addclosefrom_np(&actions, kFirstClosed);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  // A separate group, because signals of a terminal are for the parent.
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  pid_t id = 0;
  const int code =
      posix_spawn(&id, arguments.front(), &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) return std::unexpected(code);
  return id;
}

}  // namespace

std::expected<std::unique_ptr<WorkerProcess>, Error> start_worker(const WorkerCommand& command) {
  const Descriptor memory =
      moved_up(Descriptor(memfd_create("winperf_worker", MFD_CLOEXEC | MFD_ALLOW_SEALING)));
  if (!memory || ftruncate(memory.get(), static_cast<off_t>(command.shared_bytes)) != 0)
    return start_failure(errno);
  // A worker that truncated it would crash every reader.
  if (fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0)
    return start_failure(errno);
  auto mapping = SharedMapping::open(memory.get(), command.shared_bytes);
  if (!mapping) return start_failure(mapping.error());
  std::array<int, 2> pair{};
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()) != 0)
    return start_failure(errno);
  Descriptor own = moved_up(Descriptor(pair[0]));
  const Descriptor other = moved_up(Descriptor(pair[1]));
  Descriptor interrupted(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!own || !other || !interrupted) return start_failure(errno);
  const auto id = spawn(command, memory.get(), other.get());
  if (!id) return start_failure(id.error());
  return std::make_unique<PosixWorker>(*id, std::move(own), std::move(interrupted),
                                       *std::move(mapping));
}

std::uint64_t own_process_id() { return static_cast<std::uint64_t>(getpid()); }

std::filesystem::path own_executable() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

}  // namespace winperf::worker
