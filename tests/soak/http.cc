#include "tests/soak/http.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace winperf::soak {
namespace {

[[noreturn]] void fail(const char* what) {
  throw std::system_error(errno, std::generic_category(), what);
}

std::size_t length_in(std::string_view head) {
  constexpr std::string_view kLength = "Content-Length: ";
  const std::size_t place = head.find(kLength);
  if (place == std::string_view::npos) throw std::runtime_error("an answer without a length");
  return std::stoul(std::string(head.substr(place + kLength.size(), 20)));
}

}  // namespace

HttpConnection::HttpConnection(int port) : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval minute{.tv_sec = 60, .tv_usec = 0};
  const int on = 1;
  setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &minute, sizeof minute);
  setsockopt(socket_.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    fail("connecting");
}

void HttpConnection::send(std::string_view bytes) {
  if (::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL) < 0) fail("sending");
}

void HttpConnection::receive(std::size_t bytes) {
  while (received_.size() < bytes) {
    std::array<char, 65536> piece;
    const ssize_t size = recv(socket_.get(), piece.data(), piece.size(), 0);
    if (size < 0) fail("receiving");
    if (size == 0) throw std::runtime_error("the server has closed the connection");
    received_.append(piece.data(), static_cast<std::size_t>(size));
  }
}

Answer HttpConnection::ask(std::string_view method, std::string_view path,
                           std::string_view headers) {
  constexpr std::string_view kEnd = "\r\n\r\n";
  std::string request(method);
  request.append(" ").append(path).append(" HTTP/1.1\r\nHost: localhost\r\n").append(headers);
  if (method == "POST") request += "Content-Length: 0\r\n";
  send(request + "\r\n");
  received_.clear();
  std::size_t end = std::string::npos;
  while ((end = received_.find(kEnd)) == std::string::npos) receive(received_.size() + 1);
  const std::string_view head = std::string_view(received_).substr(0, end);
  constexpr std::size_t kStatus = 9;  // after "HTTP/1.1 "
  const int status = std::stoi(std::string(head.substr(kStatus, 3)));
  const std::size_t size = length_in(head);
  receive(end + kEnd.size() + size);
  return {.status = status, .body = received_.substr(end + kEnd.size(), size)};
}

}  // namespace winperf::soak
