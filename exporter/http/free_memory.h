// Memory that a burst of clients needed, and that the allocator keeps for the next one. Implemented
// in posix/ and win/. Thread rule: any thread.
#pragma once

namespace winperf {

// Gives what is free back to the system, as far as that is possible. Takes milliseconds.
void return_free_memory();

}  // namespace winperf
