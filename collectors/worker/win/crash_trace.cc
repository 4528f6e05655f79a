#include "collectors/worker/win/crash_trace.h"

#include <cstdint>
#include <cstring>

#include "collectors/worker/trace.h"
#include "collectors/worker/win/module_table.h"

namespace winperf::worker {
namespace {

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
