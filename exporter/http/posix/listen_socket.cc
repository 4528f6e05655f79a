#include "exporter/http/listen_socket.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <system_error>

#include "collectors/base/system_text.h"
#include "exporter/http/port_owner.h"

namespace winperf {
namespace {

constexpr int kSendBufferBytes = 4 * 1024 * 1024;

void set_option(int socket, int name, int value) {
  // If the system refuses, the server still works, only less comfortably.
  (void)setsockopt(socket, SOL_SOCKET, name, &value, sizeof(value));
}

static_assert(offsetof(sockaddr_in, sin_addr) == kIpv4AddressOffset);
static_assert(offsetof(sockaddr_in6, sin6_addr) == kIpv6AddressOffset);

std::string describe_bind_error(int code, const sockaddr& address, int port) {
  if (code == EADDRINUSE) {
    const std::string owners =
        describe_owners(address_in(&address, address.sa_family == AF_INET6), port);
    return "the address is already in use by " + (owners.empty() ? "another program" : owners);
  }
  if (code == EACCES) return "no permission for this port";
  if (code == EADDRNOTAVAIL) return "this machine does not have the address";
  return system_text(std::error_code(code, std::generic_category()));
}

// errno, or 0.
int try_bind(const addrinfo& candidate) {
  const int socket = ::socket(candidate.ai_family, candidate.ai_socktype, candidate.ai_protocol);
  if (socket < 0) return errno;
  prepare_listen_socket(static_cast<NativeSocket>(socket));
  int code = 0;
  if (bind(socket, candidate.ai_addr, candidate.ai_addrlen) != 0 || listen(socket, 1) != 0) {
    code = errno;
  }
  close(socket);
  return code;
}

}  // namespace

void prepare_listen_socket(NativeSocket socket) {
  set_option(static_cast<int>(socket), SO_REUSEADDR, 1);
  set_option(static_cast<int>(socket), SO_SNDBUF, kSendBufferBytes);
}

void stop_receiving(NativeSocket connection) {
  // If this fails, the client has already closed the connection.
  (void)shutdown(static_cast<int>(connection), SHUT_RD);
}

std::optional<std::string> find_bind_failure(const std::string& address, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int failure = getaddrinfo(address.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failure != 0) return std::string("the address is unknown: ") + gai_strerror(failure);
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> candidates(found, &freeaddrinfo);
  for (const addrinfo* one = candidates.get(); one != nullptr; one = one->ai_next) {
    if (const int code = try_bind(*one)) return describe_bind_error(code, *one->ai_addr, port);
  }
  return std::nullopt;
}

}  // namespace winperf
