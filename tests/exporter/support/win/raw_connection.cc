#include "tests/exporter/support/raw_connection.h"

#include <winsock2.h>

#include <stdexcept>

namespace winperf::testing {
namespace {

sockaddr_in local(int port, std::uint8_t last = 1) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK - 1U + last);
  return address;
}

}  // namespace

RawConnection::RawConnection(int port, std::uint8_t from) {
  // httplib.h has called WSAStartup for the whole process.
  socket_ = ::socket(AF_INET, SOCK_STREAM, 0);
  if (socket_ == INVALID_SOCKET) throw std::runtime_error("socket");
  const DWORD timeout_ms = 60'000;
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, reinterpret_cast<const char*>(&timeout_ms),
             sizeof(timeout_ms));
  const sockaddr_in own = local(0, from);
  const sockaddr_in address = local(port);
  if (bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof(own)) != 0 ||
      connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    closesocket(socket_);
    throw std::runtime_error("connect");
  }
}

bool is_free(int port) {
  const SOCKET socket = ::socket(AF_INET, SOCK_STREAM, 0);
  if (socket == INVALID_SOCKET) throw std::runtime_error("socket");
  const sockaddr_in address = local(port);
  const bool free =
      bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
      listen(socket, 1) == 0;
  closesocket(socket);
  return free;
}

RawConnection::~RawConnection() { closesocket(socket_); }

void RawConnection::send(std::string_view bytes) {
  while (!bytes.empty()) {
    const int sent = ::send(socket_, bytes.data(), static_cast<int>(bytes.size()), 0);
    if (sent <= 0) return;  // the server has had enough
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void RawConnection::finish_sending() { shutdown(socket_, SD_SEND); }

std::string RawConnection::receive_some() {
  char buffer[4096];
  const int got = recv(socket_, buffer, sizeof(buffer), 0);
  if (got < 0 && WSAGetLastError() == WSAETIMEDOUT)
    throw std::runtime_error("no answer within a minute");
  return got <= 0 ? std::string() : std::string(buffer, static_cast<std::size_t>(got));
}

}  // namespace winperf::testing
