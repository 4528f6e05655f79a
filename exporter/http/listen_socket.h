// The part of the server's sockets that differs between systems: implemented in win/ and posix/.
// Thread rule: any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace winperf {

// Large enough for a SOCKET of Windows and for a file descriptor.
using NativeSocket = std::uintptr_t;

// Call before bind. On Windows, no one else can take the port while we have it; elsewhere, a port
// can be reused as soon as its last owner has ended. The send buffer is large enough for a page, so
// that no thread waits for a slow reader.
void prepare_listen_socket(NativeSocket socket);

// The connection ends for its reader, at the latest when the current wait is over. Data that is
// being written still goes out. The socket stays open.
void stop_receiving(NativeSocket connection);

// Tries to bind, to find out why that fails: "the address is already in use by prometheus.exe
// (process 1234)". Nothing if it doesn't fail.
[[nodiscard]] std::optional<std::string> find_bind_failure(const std::string& address, int port);

}  // namespace winperf
