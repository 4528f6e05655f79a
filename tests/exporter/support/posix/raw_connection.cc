#include "tests/exporter/support/raw_connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>

namespace winperf::testing {
namespace {

sockaddr_in local(int port, std::uint8_t last = 1) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1 + last);
  return address;
}

}  // namespace

RawConnection::RawConnection(int port, std::uint8_t from) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) throw std::runtime_error("socket");
  socket_ = static_cast<std::uintptr_t>(descriptor);
  const timeval timeout{.tv_sec = 60, .tv_usec = 0};
  setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
  const sockaddr_in own = local(0, from);
  const sockaddr_in address = local(port);
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&own), sizeof(own)) != 0 ||
      connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    close(descriptor);
    throw std::runtime_error("connect");
  }
}

bool is_free(int port) {
  const int descriptor = ::socket(AF_INET, SOCK_STREAM, 0);
  if (descriptor < 0) throw std::runtime_error("socket");
  const int on = 1;  // connections of an earlier listener may be there
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  const sockaddr_in address = local(port);
  const bool free =
      bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
      listen(descriptor, 1) == 0;
  close(descriptor);
  return free;
}

RawConnection::~RawConnection() { close(static_cast<int>(socket_)); }

void RawConnection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto sent = ::send(static_cast<int>(socket_), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;  // the server has had enough
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void RawConnection::finish_sending() { shutdown(static_cast<int>(socket_), SHUT_WR); }

std::string RawConnection::receive_some() {
  char buffer[4096];
  const auto got = recv(static_cast<int>(socket_), buffer, sizeof(buffer), 0);
  if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
    throw std::runtime_error("no answer within a minute");
  return got <= 0 ? std::string() : std::string(buffer, static_cast<std::size_t>(got));
}

}  // namespace winperf::testing
