#include "exporter/http/listen_socket.h"

#include <winsock2.h>
// After winsock2.h:
#include <ws2tcpip.h>

#include <cstddef>
#include <memory>
#include <system_error>

#include "collectors/base/system_text.h"
#include "exporter/http/port_owner.h"

namespace winperf {
namespace {

constexpr int kSendBufferBytes = 4 * 1024 * 1024;

void set_option(SOCKET socket, int name, int value) {
  // If the system refuses, the server still works, only less comfortably.
  (void)setsockopt(socket, SOL_SOCKET, name, reinterpret_cast<const char*>(&value), sizeof(value));
}

std::string windows_text(int code) {
  return system_text(std::error_code(code, std::system_category()));
}

static_assert(offsetof(sockaddr_in, sin_addr) == kIpv4AddressOffset);
static_assert(offsetof(sockaddr_in6, sin6_addr) == kIpv6AddressOffset);

std::string describe_bind_error(int code, const sockaddr& address, int port) {
  // "Access denied" may mean that a program holds the port exclusively, or under another account.
  if (code == WSAEADDRINUSE || code == WSAEACCES) {
    const std::string owners =
        describe_owners(address_in(&address, address.sa_family == AF_INET6), port);
    if (!owners.empty()) return "the address is already in use by " + owners;
  }
  if (code == WSAEADDRINUSE) return "the address is already in use by another program";
  if (code == WSAEACCES) {
    return "no permission for this port: another program holds it exclusively, or Windows has "
           "reserved it (netsh interface ipv4 show excludedportrange protocol=tcp)";
  }
  if (code == WSAEADDRNOTAVAIL) return "this machine does not have the address";
  return windows_text(code);
}

// The winsock error, or 0.
int try_bind(const ADDRINFOA& candidate) {
  const SOCKET socket = ::socket(candidate.ai_family, candidate.ai_socktype, candidate.ai_protocol);
  if (socket == INVALID_SOCKET) return WSAGetLastError();
  prepare_listen_socket(static_cast<NativeSocket>(socket));
  int code = 0;
  if (bind(socket, candidate.ai_addr, static_cast<int>(candidate.ai_addrlen)) != 0 ||
      listen(socket, 1) != 0) {
    code = WSAGetLastError();
  }
  closesocket(socket);
  return code;
}

}  // namespace

void prepare_listen_socket(NativeSocket socket) {
  // Without this, any process can bind to the same port.
  set_option(static_cast<SOCKET>(socket), SO_EXCLUSIVEADDRUSE, 1);
  set_option(static_cast<SOCKET>(socket), SO_SNDBUF, kSendBufferBytes);
}

void stop_receiving(NativeSocket connection) {
  // If this fails, the client has already closed the connection.
  (void)shutdown(static_cast<SOCKET>(connection), SD_RECEIVE);
}

std::optional<std::string> find_bind_failure(const std::string& address, int port) {
  ADDRINFOA hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  ADDRINFOA* found = nullptr;
  const int failure = getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failure != 0) return "the address is unknown: " + windows_text(failure);
  const std::unique_ptr<ADDRINFOA, decltype(&freeaddrinfo)> candidates(found, &freeaddrinfo);
  for (const ADDRINFOA* one = candidates.get(); one != nullptr; one = one->ai_next) {
    if (const int code = try_bind(*one)) return describe_bind_error(code, *one->ai_addr, port);
  }
  return std::nullopt;
}

}  // namespace winperf
