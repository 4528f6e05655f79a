#include "collectors/worker/parent_link.h"

#include <windows.h>
#include <xmmintrin.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <clocale>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "collectors/base/decimal.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/win/crash_trace.h"
#include "collectors/worker/win/launch.h"

namespace winperf::worker {
namespace {

// What start_worker() puts on the command line: the handles, and the size of the memory.
enum Word : std::size_t { kSection, kRequest, kReply, kParent, kWhere, kBytes, kWords };

constexpr UINT kThreadGone = 0xC000'004B;  // STATUS_THREAD_IS_TERMINATING
constexpr UINT kFastFail = 0xC000'0409;    // STATUS_STACK_BUFFER_OVERRUN, the code of __fastfail

// The parent, the thread that serves it, and the parent's question where that thread is.
using Watched = std::array<HANDLE, 3>;

// The parent is gone: also if a provider keeps the serving thread busy. Or that thread is: after an
// overflow of its stack, Wine ends it and not the process.
DWORD WINAPI end_with(void* watched) {
  const Watched handles = *std::unique_ptr<Watched>(static_cast<Watched*>(watched));
  DWORD first = WAIT_OBJECT_0 + 2;
  while (first == WAIT_OBJECT_0 + 2) {
    first =
        WaitForMultipleObjects(static_cast<DWORD>(handles.size()), handles.data(), FALSE, INFINITE);
    if (first == WAIT_OBJECT_0 + 2) write_trace_of(handles[1]);
  }
  if (first == WAIT_OBJECT_0 + 1) TerminateProcess(GetCurrentProcess(), kThreadGone);
  end_now(EXIT_SUCCESS);
}

// For ever: nobody closes it.
HANDLE this_thread() {
  HANDLE thread = nullptr;
  DuplicateHandle(GetCurrentProcess(), GetCurrentThread(), GetCurrentProcess(), &thread, 0, FALSE,
                  DUPLICATE_SAME_ACCESS);
  return thread;
}

// Instead of Windows' error reporting, or Wine's debugger, which would keep the process for
// seconds.
LONG WINAPI end_at_once(EXCEPTION_POINTERS* exception) {
  constexpr DWORD kTimeToWrite = 100;  // milliseconds
  static LONG writer = 0;              // the thread that crashed first
  const LONG self = static_cast<LONG>(GetCurrentThreadId());
  const LONG first = InterlockedCompareExchange(&writer, self, 0);
  // A crash of the same thread is one of the writing itself.
  if (first == 0) write_trace_of(*exception->ContextRecord);
  if (first != 0 && first != self) Sleep(kTimeToWrite);
  TerminateProcess(GetCurrentProcess(), exception->ExceptionRecord->ExceptionCode);
  return EXCEPTION_EXECUTE_HANDLER;
}

// abort(), for whatever reason, is an exception to the parent, not an exit code.
void end_of_abort(int /*signal*/) {
  write_own_trace();
  TerminateProcess(GetCurrentProcess(), kFastFail);
}

void fail_silently() {
  SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
  SetUnhandledExceptionFilter(end_at_once);
  std::signal(SIGABRT, end_of_abort);
  // Room for that function after the stack has overflowed.
  ULONG room = 64U << 10;
  SetThreadStackGuarantee(&room);
}

// Without the flags of what has happened.
unsigned control_of_sse() {
  constexpr unsigned kHappened = 0x3F;
  return _mm_getcsr() & ~kHappened;
}

class EventLink final : public ParentLink {
 public:
  EventLink(SharedView memory, HANDLE request, HANDLE reply, HANDLE parent, HANDLE where)
      : memory_(std::move(memory)), request_(request), reply_(reply), parent_(parent) {
    auto watched = std::make_unique<Watched>(Watched{parent, this_thread(), where});
    if (UniqueKernelHandle(CreateThread(nullptr, 0, end_with, watched.get(), 0, nullptr)))
      watched.release();  // the thread's own
  }

  std::span<std::byte> shared() override { return memory_.bytes(); }
  bool commit(std::size_t bytes) override { return memory_.commit(bytes); }
  bool wait() override {
    const std::array<HANDLE, 2> waited{request_.get(), parent_.get()};
    return WaitForMultipleObjects(static_cast<DWORD>(waited.size()), waited.data(), FALSE,
                                  INFINITE) == WAIT_OBJECT_0;
  }
  bool answer() override { return SetEvent(reply_.get()) != FALSE; }

 private:
  SharedView memory_;
  UniqueKernelHandle request_;
  UniqueKernelHandle reply_;
  UniqueKernelHandle parent_;
};

}  // namespace

std::expected<std::unique_ptr<ParentLink>, std::string> adopt_link(
    const std::vector<std::string>& words) {
  constexpr const char* kAlone = "the program starts this command itself, not a person";
  if (words.size() != kWords) return std::unexpected(kAlone);
  std::array<HANDLE, kBytes> handles{};
  for (std::size_t i = 0; i < handles.size(); ++i) {
    const auto number = whole_decimal<std::uint64_t>(words[i]);
    if (!number) return std::unexpected(kAlone);
    handles.at(i) = reinterpret_cast<HANDLE>(static_cast<std::uintptr_t>(*number));
  }
  const auto bytes = whole_decimal<std::uint64_t>(words[kBytes]);
  if (!bytes) return std::unexpected(kAlone);
  const UniqueKernelHandle section(handles.at(kSection));
  SharedView memory(section.get(), static_cast<std::size_t>(*bytes));
  if (!memory) return std::unexpected(kAlone);
  write_traces_to(memory.bytes());
  fail_silently();
  // Not from the working folder, wherever a provider changes it to.
  SetDllDirectoryW(L"");
  return std::make_unique<EventLink>(std::move(memory), handles.at(kRequest), handles.at(kReply),
                                     handles.at(kParent), handles.at(kWhere));
}

bool are_heaps_sound() {
  std::array<HANDLE, 64> heaps{};
  const DWORD count = GetProcessHeaps(static_cast<DWORD>(heaps.size()), heaps.data());
  for (HANDLE const heap : std::span(heaps).first(std::min<std::size_t>(count, heaps.size())))
    if (!HeapValidate(heap, 0, nullptr)) return false;
  return true;
}

void end_now(int exit_code) {
  TerminateProcess(GetCurrentProcess(), static_cast<UINT>(exit_code));
  std::abort();  // not reached
}

struct ThreadState::Saved {
  unsigned floating = 0;
  unsigned sse = 0;
  std::string locale;
  LCID thread_locale = 0;
  std::array<wchar_t, MAX_PATH> folder{};
  int priority = 0;
  DWORD process_priority = 0;
};

ThreadState::ThreadState() : saved_(std::make_unique<Saved>()) {
  _controlfp_s(&saved_->floating, 0, 0);
  saved_->sse = control_of_sse();
  saved_->locale = std::setlocale(LC_ALL, nullptr);
  saved_->thread_locale = GetThreadLocale();
  GetCurrentDirectoryW(MAX_PATH, saved_->folder.data());
  saved_->priority = GetThreadPriority(GetCurrentThread());
  saved_->process_priority = GetPriorityClass(GetCurrentProcess());
}

ThreadState::~ThreadState() = default;

std::uint32_t ThreadState::changes() const {
  unsigned floating = 0;
  _controlfp_s(&floating, 0, 0);
  const bool is_changed =
      ((floating ^ saved_->floating) & (_MCW_EM | _MCW_RC)) != 0 || control_of_sse() != saved_->sse;
  UniqueKernelHandle token;
  const bool acts_as_other =
      OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, token.put()) != FALSE;
  return (is_changed ? static_cast<std::uint32_t>(LeftBehind::kFloatingPoint) : 0) |
         (acts_as_other ? static_cast<std::uint32_t>(LeftBehind::kIdentity) : 0);
}

void ThreadState::restore() const {
  RevertToSelf();  // from whomever a provider has impersonated
  _fpreset();
  unsigned ignored = 0;
  _controlfp_s(&ignored, saved_->floating, _MCW_EM | _MCW_RC);
  _mm_setcsr(saved_->sse);
  std::setlocale(LC_ALL, saved_->locale.c_str());
  SetThreadLocale(saved_->thread_locale);
  SetCurrentDirectoryW(saved_->folder.data());
  SetThreadPriority(GetCurrentThread(), saved_->priority);
  SetPriorityClass(GetCurrentProcess(), saved_->process_priority);
}

}  // namespace winperf::worker
