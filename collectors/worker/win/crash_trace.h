// Has this process write where it is (trace.h): when it crashes, when a provider ends it, and when
// its parent asks. posix/crash_trace.h is its twin.
//
// The stack is unwound in this process, and is left as soon as it leads elsewhere. What was found
// so far is there if that fails. The system's functions take one lock, for code that was described
// at run time, such as .NET's: if the thread that stands still has it, nothing follows, and the
// parent ends the process. Thread rule: write_traces_to() by the thread that makes the calls;
// write_trace_of() by another one. Source: Learn, RtlVirtualUnwind, "x64 exception handling",
// FlsAlloc.
#pragma once

#include <windows.h>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace winperf::worker {

// Where the modules of this process are, and were before they were unloaded, for whoever may not
// ask the system: in the middle of a crash, or while another thread stands still and may hold any
// lock. Threads that a DLL has left crash where it isn't any more.
// Thread rule: keep_module_table() once, before other modules are loaded; module_at() anywhere.
// Source: Learn, LdrRegisterDllNotification, LdrDllNotification, EnumProcessModules.

// From now on the table follows what is loaded. Without the system's function it has only what is
// loaded now.
void keep_module_table();

// The file name of the module at an address, or of the last one that was there: "faulty.dll". Empty
// if there was none.
std::string_view module_at(std::uintptr_t address);

// `shared`: as long as this process lives.
void write_traces_to(std::span<std::byte> shared);

// Where the calling thread was at an exception.
void write_trace_of(const CONTEXT& exception);
// Where the calling thread is.
void write_own_trace();
// Where the thread is that makes the calls, which stands still meanwhile.
void write_trace_of(HANDLE thread);

}  // namespace winperf::worker
