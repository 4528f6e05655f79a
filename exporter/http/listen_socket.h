// The part of the server's sockets that differs between systems: implemented in win/ and posix/.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace winperf {

// Large enough for a SOCKET of Windows and for a file descriptor.
using NativeSocket = std::uintptr_t;

// Before bind: on Windows nobody else may take the port while we have it; elsewhere a port may be
// taken again at once after the last owner ended. Sizes the send buffer such that a page fits in,
// so that no thread waits for a slow reader.
void prepare_listen_socket(NativeSocket socket);

// Whoever reads from the connection finds its end, at the latest once its present wait is over;
// what is being written still goes out. The socket stays open.
void stop_receiving(NativeSocket connection);

// Tries to bind in order to learn why it fails: "the address is already in use by prometheus.exe
// (process 1234)". Nothing where it does not fail.
std::optional<std::string> find_bind_failure(const std::string& address, int port);

}  // namespace winperf
