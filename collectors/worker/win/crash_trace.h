// Has this process write where it is (trace.h): when it crashes, when a provider ends it, and when
// its parent asks. posix/parent_link.cc has its twin.
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
#include <span>

namespace winperf::worker {

// `shared`: as long as this process lives.
void write_traces_to(std::span<std::byte> shared);

// Where the calling thread was at an exception.
void write_trace_of(const CONTEXT& exception);
// Where the calling thread is.
void write_own_trace();
// Where the thread is that makes the calls, which stands still meanwhile.
void write_trace_of(HANDLE thread);

}  // namespace winperf::worker
