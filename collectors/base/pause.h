// Waiting that a stop cuts short.
//
// By looking at the token now and then, not by a std::stop_callback or what is made of it
// (std::condition_variable_any with a token): its destructor waits for a callback that is running
// by a semaphore of libstdc++'s, which loses wake-ups where the system has no futex, as with
// mingw-w64; then it waits for ever. Thread rule: any thread.
#pragma once

#include <chrono>
#include <stop_token>

namespace winperf {

// How much later than the stop pause_until() may return.
inline constexpr std::chrono::milliseconds kStopPollInterval{20};

// Returns at that time, or earlier where a stop is requested.
void pause_until(std::chrono::steady_clock::time_point time, const std::stop_token& stop);

}  // namespace winperf
