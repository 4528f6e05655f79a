#include "collectors/worker/win/crash_trace.h"

#include <psapi.h>
#include <windows.h>
#include <winternl.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "collectors/worker/trace.h"

namespace winperf::worker {
namespace {

// Where the modules of this process are, and were before they were unloaded, for whoever may not
// ask the system: in the middle of a crash, or while another thread stands still and may hold any
// lock. Threads that a DLL has left crash where it isn't any more.
// Source: Learn, LdrRegisterDllNotification, LdrDllNotification, EnumProcessModules.

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

// What was there before is there no more.
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

// From now on the table follows what is loaded. Without the system's function it has only what is
// loaded now. Once, before other modules are loaded.
void keep_module_table() {
  using Register =
      NTSTATUS(NTAPI*)(ULONG, void(CALLBACK*)(ULONG, const DllNotice*, void*), void*, void**);
  const auto follow = reinterpret_cast<Register>(reinterpret_cast<void*>(
      GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "LdrRegisterDllNotification")));
  static void* cookie = nullptr;  // for ever
  if (follow != nullptr) follow(0, on_notice, nullptr, &cookie);
  add_present();
}

// The file name of the module at an address, or of the last one that was there: "faulty.dll". Empty
// if there was none.
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

// One frame outwards. False at the end of the stack, or where it leads elsewhere.
bool leave_frame(CONTEXT& context, const Stack& stack) {
  if (!stack.has(context.Rsp)) return false;
  DWORD64 base = 0;
  PRUNTIME_FUNCTION const function = RtlLookupFunctionEntry(context.Rip, &base, nullptr);
  if (function == nullptr) {
    // A function without a frame of its own, or code that has no description.
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

// `skips_own`: the first frames are those of this function's callers.
void write_trace(CONTEXT context, const Stack& stack, bool skips_own) {
  TraceWriter trace(shared_memory);
  const std::string_view own =
      skips_own ? module_at(reinterpret_cast<std::uintptr_t>(&write_own_trace)) : "";
  for (int frame = 0; frame < kMaxFrames; ++frame) {
    const std::string_view module = module_at(place_of(context));
    skips_own = skips_own && (module == own || module.empty());
    if (!skips_own) trace.add(module);
    trace.publish();  // leaving a frame may be the last thing that this process does
    if (!leave_frame(context, stack)) break;
  }
  trace.finish();
}

// A thread that ends the process runs this before it does.
void NTAPI on_exit_of_process(void* /*value*/) { write_own_trace(); }

}  // namespace

void write_traces_to(std::span<std::byte> shared) {
  shared_memory = shared;
  serving_stack = stack_of_caller();
  keep_module_table();
  const DWORD slot = FlsAlloc(on_exit_of_process);
  if (slot != FLS_OUT_OF_INDEXES) FlsSetValue(slot, shared.data());
}

void write_trace_of(const CONTEXT& exception) { write_trace(exception, stack_of_caller(), false); }

void write_own_trace() {
  CONTEXT context{};
  RtlCaptureContext(&context);
  write_trace(context, stack_of_caller(), true);
}

void write_trace_of(HANDLE thread) {
  if (SuspendThread(thread) == static_cast<DWORD>(-1)) return;
  CONTEXT context{};
  context.ContextFlags = CONTEXT_FULL;
  if (GetThreadContext(thread, &context)) write_trace(context, serving_stack, false);
  ResumeThread(thread);
}

}  // namespace winperf::worker
