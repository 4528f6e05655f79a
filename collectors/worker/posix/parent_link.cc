#include "collectors/worker/parent_link.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "collectors/worker/frame.h"
#include "collectors/worker/posix/shared_mapping.h"

namespace winperf::worker {
namespace {

constexpr int kMaxFrames = 48;
constexpr std::size_t kHandlerStack = std::size_t{256} << 10;

std::span<std::byte> shared_memory;

std::string_view file_of(const char* path) {
  const std::string_view text = path;
  const auto folder = text.rfind('/');
  return folder == std::string_view::npos ? text : text.substr(folder + 1);
}

// The first frames are of this program, then of the C library that called it.
void write_trace() {
  std::array<void*, kMaxFrames> frames{};
  const int count = backtrace(frames.data(), kMaxFrames);
  TraceWriter trace(shared_memory);
  constexpr int kOfCaller = 2;
  int changes = -1;
  std::string_view last;
  for (void* const frame : std::span(frames).first(static_cast<std::size_t>(count))) {
    Dl_info module{};
    if (dladdr(frame, &module) == 0 || module.dli_fname == nullptr) continue;
    const std::string_view file = file_of(module.dli_fname);
    changes += file != std::exchange(last, file) ? 1 : 0;
    if (changes >= kOfCaller) trace.add(file);
  }
  trace.finish();
}

void on_crash(int signal) {
  write_trace();
  std::signal(signal, SIG_DFL);
  raise(signal);
}

void on_question(int /*signal*/) { write_trace(); }

void handle(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK | SA_RESTART;
  sigaction(signal, &action, nullptr);
}

// Has this process write its trace (TraceWriter) when it crashes, when a provider calls exit(), and
// when its parent sends kWhereSignal. win/parent_link.cc is the counterpart. Called once, by the
// main thread. `shared`: as long as this process lives.
void write_traces_to(std::span<std::byte> shared) {
  shared_memory = shared;
  std::array<void*, 1> loads_what_it_needs{};
  backtrace(loads_what_it_needs.data(), 1);
  // The stack may have overflowed. Never freed.
  static std::array<std::byte, kHandlerStack> room;
  const stack_t stack{.ss_sp = room.data(), .ss_flags = 0, .ss_size = room.size()};
  sigaltstack(&stack, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) handle(signal, on_crash);
  handle(kWhereSignal, on_question);
  std::atexit(write_trace);
}

// Works even if a provider blocks the other thread, or has closed the connection.
void end_with_parent() {
  pollfd parent{.fd = kInheritedSocket, .events = POLLRDHUP, .revents = 0};
  while (poll(&parent, 1, -1) < 0 && errno == EINTR) continue;
  end_now(EXIT_SUCCESS);
}

class SocketLink final : public ParentLink {
 public:
  explicit SocketLink(SharedMapping memory) : memory_(std::move(memory)) {
    std::thread(end_with_parent).detach();
  }

  std::span<std::byte> shared() override { return memory_.bytes(); }
  bool wait() override {
    char byte = 0;
    ssize_t got = 0;
    do got = recv(kInheritedSocket, &byte, 1, 0);
    while (got < 0 && errno == EINTR);
    return got == 1;
  }
  bool answer() override {
    const char byte = 0;
    return send(kInheritedSocket, &byte, 1, MSG_NOSIGNAL) == 1;
  }

 private:
  SharedMapping memory_;
};

}  // namespace

std::expected<std::unique_ptr<ParentLink>, std::string> adopt_link(
    const std::vector<std::string>& words) {
  constexpr const char* kAlone = "this command is only for the exporter itself";
  struct stat memory{};
  struct stat socket{};
  if (!words.empty() || fstat(kInheritedMemory, &memory) != 0 || !S_ISREG(memory.st_mode) ||
      fstat(kInheritedSocket, &socket) != 0 || !S_ISSOCK(socket.st_mode))
    return std::unexpected(kAlone);
  auto mapping = SharedMapping::open(kInheritedMemory, static_cast<std::size_t>(memory.st_size));
  if (!mapping) return std::unexpected(kAlone);
  // A core dump would delay the replacement, and could contain confidential data.
  const rlimit no_core{.rlim_cur = 0, .rlim_max = 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (chdir("/") != 0) return std::unexpected("cannot change to the root folder");
  write_traces_to(mapping->bytes());
  return std::make_unique<SocketLink>(*std::move(mapping));
}

// The library checks them itself.
bool are_heaps_sound() { return true; }

void end_now(int exit_code) { _exit(exit_code); }

struct ThreadState::Saved {
  std::fenv_t floating{};
  int unmasked = 0;  // floating-point exceptions
  int rounding = 0;
  std::string locale;
  std::filesystem::path folder;
};

ThreadState::ThreadState() : saved_(std::make_unique<Saved>()) {
  std::fegetenv(&saved_->floating);
  saved_->unmasked = fegetexcept();
  saved_->rounding = std::fegetround();
  saved_->locale = std::setlocale(LC_ALL, nullptr);
  std::error_code ignored;
  saved_->folder = std::filesystem::current_path(ignored);
}

ThreadState::~ThreadState() = default;

std::uint32_t ThreadState::changes() const {
  const bool is_same = fegetexcept() == saved_->unmasked && std::fegetround() == saved_->rounding;
  return is_same ? 0 : static_cast<std::uint32_t>(SideEffect::kFloatingPoint);
}

void ThreadState::restore() const {
  std::fesetenv(&saved_->floating);
  std::setlocale(LC_ALL, saved_->locale.c_str());
  std::error_code ignored;
  std::filesystem::current_path(saved_->folder, ignored);
}

}  // namespace winperf::worker
