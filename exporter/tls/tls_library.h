// What is the same for all users of the TLS library in this process. Thread rule: any thread.
#pragma once

#include <mutex>
#include <string>

namespace winperf {

// The library keeps keys of TLS 1.3 handshakes in one table, without a lock of its own. Whoever
// takes a step of a handshake, or gives one up, holds this one.
std::mutex& handshake_mutex();

// Makes the library usable, once. False if the system gives it no randomness.
[[nodiscard]] bool begin_tls();

// The library's text for one of its codes.
std::string tls_error_text(int code);

}  // namespace winperf
