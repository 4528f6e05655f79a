#include "collectors/worker/posix/crash_trace.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "collectors/worker/trace.h"

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

// The first frames are of this program, and then of the C library, which has called it.
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

}  // namespace

void write_traces_to(std::span<std::byte> shared) {
  shared_memory = shared;
  std::array<void*, 1> loads_what_it_needs{};
  backtrace(loads_what_it_needs.data(), 1);
  // A stack may have overflowed. It is in use for ever.
  static std::array<std::byte, kHandlerStack> room;
  const stack_t stack{.ss_sp = room.data(), .ss_flags = 0, .ss_size = room.size()};
  sigaltstack(&stack, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) handle(signal, on_crash);
  handle(kWhereSignal, on_question);
  std::atexit(write_trace);
}

}  // namespace winperf::worker
