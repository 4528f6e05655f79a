// Waiting that a stop request cuts short.
//
// It polls the token instead of using std::stop_callback or anything built on it, such as
// std::condition_variable_any with a token. The destructor of a stop_callback waits for a running
// callback with a semaphore of libstdc++, which loses wake-ups on systems without a futex, such as
// mingw-w64; then it waits for ever. Thread rule: any thread.
#pragma once

#include <chrono>
#include <stop_token>

namespace winperf {

// How long after the stop request pause_until() may return.
inline constexpr std::chrono::milliseconds kStopPollInterval{20};

// Returns at that time, or earlier if a stop is requested.
void pause_until(std::chrono::steady_clock::time_point time, const std::stop_token& stop);

}  // namespace winperf
