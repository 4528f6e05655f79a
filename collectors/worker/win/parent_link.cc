#include "collectors/worker/parent_link.h"

#include <windows.h>
#include <winternl.h>

#include <psapi.h>
#include <xmmintrin.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cfloat>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "collectors/base/decimal.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/worker/frame.h"
#include "collectors/worker/win/launch.h"

namespace winperf::worker {
namespace {

// Has this process write its trace (TraceWriter): when it crashes, when a provider ends it, and
// when its parent requests it. posix/parent_link.cc is the counterpart.
//
// The stack is unwound in this process, until a frame lies outside of it; a partial trace remains
// if that fails. The system's functions take one lock, for code that was registered at run time,
// such as .NET's: if the suspended thread holds it, the trace stays partial, and the parent
// terminates the process. Thread rule: write_traces_to() by the thread that makes the calls; the
// trace of that thread, while it is suspended, by another one. Source: Learn, RtlVirtualUnwind,
// "x64 exception handling", FlsAlloc.

// The addresses of the loaded and unloaded modules of this process, for use when the system can't
// be called: during a crash, or while another thread is suspended and may hold any lock. Threads
// that a DLL has left running crash at the address of the unloaded DLL. Source: Learn,
// LdrRegisterDllNotification, LdrDllNotification, EnumProcessModules.

// More modules than a process has; further ones are unknown.
constexpr std::size_t kMaxRanges = 1'024;

// Written under the loader's lock, by one thread at a time; a name is complete before its `end`.
struct Range {
  std::atomic<std::uintptr_t> begin = 0;
  std::atomic<std::uintptr_t> end = 0;  // 0: not in use
  std::array<char, kMaxModuleName + 1> name{};
};
std::array<Range, kMaxRanges> ranges;

void name_range(Range& range, std::wstring_view name) {
  std::size_t length = 0;
  for (const wchar_t character : name.substr(0, kMaxModuleName))
    range.name.at(length++) =
        character > 0 && character < 0x7F ? static_cast<char>(character) : '?';
  range.name.at(length) = '\0';
}

// Earlier modules at these addresses were unloaded.
void add_range(std::uintptr_t begin, std::size_t bytes, std::wstring_view name) {
  const std::uintptr_t end = begin + bytes;
  for (Range& range : ranges)
    if (range.end > begin && range.begin < end) range.end = 0;
  const auto place =
      std::ranges::find_if(ranges, [](const Range& range) { return range.end == 0; });
  if (place == ranges.end()) return;
  name_range(*place, name);
  place->begin = begin;
  place->end = end;
}

void add_present() {
  std::array<HMODULE, kMaxRanges> modules{};
  DWORD bytes = 0;
  if (!EnumProcessModules(GetCurrentProcess(), modules.data(), sizeof modules, &bytes)) return;
  const std::size_t count = std::min<std::size_t>(bytes / sizeof(HMODULE), modules.size());
  for (HMODULE const module : std::span(modules).first(count)) {
    MODULEINFO info{};
    std::array<wchar_t, MAX_PATH> name{};
    const DWORD length = GetModuleBaseNameW(GetCurrentProcess(), module, name.data(), MAX_PATH);
    if (GetModuleInformation(GetCurrentProcess(), module, &info, sizeof info))
      add_range(reinterpret_cast<std::uintptr_t>(info.lpBaseOfDll), info.SizeOfImage,
                {name.data(), length});
  }
}

// LDR_DLL_NOTIFICATION_DATA, which the SDK doesn't declare: it is the same for both reasons.
struct DllNotice {
  ULONG flags;
  const UNICODE_STRING* full_name;
  const UNICODE_STRING* base_name;
  void* base;
  ULONG bytes;
};
constexpr ULONG kLoaded = 1;

void CALLBACK on_notice(ULONG reason, const DllNotice* notice, void* /*context*/) {
  if (reason != kLoaded || notice->base_name == nullptr) return;
  add_range(reinterpret_cast<std::uintptr_t>(notice->base), notice->bytes,
            {notice->base_name->Buffer, notice->base_name->Length / sizeof(wchar_t)});
}

// Keeps the table up to date from now on; without the system's function it has only the modules
// loaded now. Called once, before other modules are loaded.
void keep_module_table() {
  using Register =
      NTSTATUS(NTAPI*)(ULONG, void(CALLBACK*)(ULONG, const DllNotice*, void*), void*, void**);
  const auto follow = ntdll_function<Register>("LdrRegisterDllNotification");
  static void* cookie = nullptr;  // never unregistered
  if (follow != nullptr) follow(0, on_notice, nullptr, &cookie);
  add_present();
}

// The file name of the current or last module at an address: "faulty.dll". Empty if there was none.
std::string_view module_at(std::uintptr_t address) {
  for (const Range& range : ranges)
    if (range.end > address && range.begin <= address) return range.name.data();
  return {};
}

constexpr int kMaxFrames = 64;

std::span<std::byte> shared_memory;

// The part of a stack that is in use.
struct Stack {
  std::uintptr_t from = 0;
  std::uintptr_t to = 0;
  bool has(std::uintptr_t address) const {
    return address >= from && address % sizeof(std::uintptr_t) == 0 && address < to &&
           to - address >= sizeof(std::uintptr_t);
  }
};

// That of the thread that makes the calls.
Stack serving_stack;

Stack stack_of_caller() {
  Stack stack;
  GetCurrentThreadStackLimits(reinterpret_cast<PULONG_PTR>(&stack.from),
                              reinterpret_cast<PULONG_PTR>(&stack.to));
  return stack;
}

#if defined(_M_X64) || defined(__x86_64__)

std::uintptr_t place_of(const CONTEXT& context) { return context.Rip; }

// Unwinds one frame. False at the end of the stack, or if the frame lies outside of it.
bool leave_frame(CONTEXT& context, const Stack& stack) {
  if (!stack.has(context.Rsp)) return false;
  DWORD64 base = 0;
  PRUNTIME_FUNCTION const function = RtlLookupFunctionEntry(context.Rip, &base, nullptr);
  if (function == nullptr) {
    // A leaf function, or code without unwind information.
    std::memcpy(&context.Rip, reinterpret_cast<const void*>(context.Rsp), sizeof context.Rip);
    context.Rsp += sizeof context.Rip;
  } else {
    void* handler_data = nullptr;
    DWORD64 frame = 0;
    RtlVirtualUnwind(UNW_FLAG_NHANDLER, base, context.Rip, function, &context, &handler_data,
                     &frame, nullptr);
  }
  return context.Rip != 0;
}

#else

std::uintptr_t place_of(const CONTEXT& context) { return context.Pc; }

bool leave_frame(CONTEXT&, const Stack&) { return false; }

#endif

void write_own_trace();

// `skips_own`: the first frames are those of this function's callers.
void write_trace(CONTEXT context, const Stack& stack, bool skips_own) {
  TraceWriter trace(shared_memory);
  const std::string_view own =
      skips_own ? module_at(reinterpret_cast<std::uintptr_t>(&write_own_trace)) : "";
  for (int frame = 0; frame < kMaxFrames; ++frame) {
    const std::string_view module = module_at(place_of(context));
    skips_own = skips_own && (module == own || module.empty());
    if (!skips_own) trace.add(module);
    trace.publish();  // unwinding may crash this process
    if (!leave_frame(context, stack)) break;
  }
  trace.finish();
}

// Writes the trace of the calling thread at an exception.
void write_trace_of(const CONTEXT& exception) { write_trace(exception, stack_of_caller(), false); }

// Writes the trace of the calling thread.
void write_own_trace() {
  CONTEXT context{};
  RtlCaptureContext(&context);
  write_trace(context, stack_of_caller(), true);
}

// Writes the trace of the serving thread, which is suspended.
void write_trace_of(HANDLE thread) {
  if (SuspendThread(thread) == static_cast<DWORD>(-1)) return;
  CONTEXT context{};
  context.ContextFlags = CONTEXT_FULL;
  if (GetThreadContext(thread, &context)) write_trace(context, serving_stack, false);
  ResumeThread(thread);
}

// A thread that ends the process runs this before it does.
void NTAPI on_exit_of_process(void* /*value*/) { write_own_trace(); }

// `shared`: as long as this process lives.
void write_traces_to(std::span<std::byte> shared) {
  shared_memory = shared;
  serving_stack = stack_of_caller();
  keep_module_table();
  const DWORD slot = FlsAlloc(on_exit_of_process);
  if (slot != FLS_OUT_OF_INDEXES) FlsSetValue(slot, shared.data());
}

// What start_worker() puts on the command line: the handles, and the size of the memory.
enum Word : std::size_t { kSection, kRequest, kReply, kParent, kWhere, kBytes, kWords };

constexpr UINT kThreadGone = 0xC000'004B;  // STATUS_THREAD_IS_TERMINATING
constexpr UINT kFastFail = 0xC000'0409;    // STATUS_STACK_BUFFER_OVERRUN, the code of __fastfail

// The parent, the serving thread, and the parent's request for a trace.
using Watched = std::array<HANDLE, 3>;

// Ends the process when the parent has ended, even if a provider blocks the serving thread, or when
// that thread has ended: after a stack overflow, Wine ends the thread and not the process.
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

// Never closed.
HANDLE this_thread() {
  HANDLE thread = nullptr;
  DuplicateHandle(GetCurrentProcess(), GetCurrentThread(), GetCurrentProcess(), &thread, 0, FALSE,
                  DUPLICATE_SAME_ACCESS);
  return thread;
}

// Replaces Windows' error reporting and Wine's debugger, which would keep the process for seconds.
LONG WINAPI end_at_once(EXCEPTION_POINTERS* exception) {
  constexpr DWORD kTimeToWrite = 100;  // milliseconds
  static LONG writer = 0;              // the thread that crashed first
  const LONG self = static_cast<LONG>(GetCurrentThreadId());
  const LONG first = InterlockedCompareExchange(&writer, self, 0);
  // A second crash of the same thread was caused by writing the trace.
  if (first == 0) write_trace_of(*exception->ContextRecord);
  if (first != 0 && first != self) Sleep(kTimeToWrite);
  TerminateProcess(GetCurrentProcess(), exception->ExceptionRecord->ExceptionCode);
  return EXCEPTION_EXECUTE_HANDLER;
}

// Reports abort() to the parent as an exception, not as an exit code.
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
  constexpr const char* kAlone = "this command is only for the exporter itself";
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
  // DLLs aren't loaded from the working folder, which a provider may change.
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
  return (is_changed ? static_cast<std::uint32_t>(SideEffect::kFloatingPoint) : 0) |
         (acts_as_other ? static_cast<std::uint32_t>(SideEffect::kIdentity) : 0);
}

void ThreadState::restore() const {
  RevertToSelf();  // in case a provider has impersonated an account
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
