#include "exporter/http/socket.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <memory>
#include <system_error>
#include <thread>

#include "collectors/base/system_text.h"
#include "exporter/http/socket_address.h"

namespace winperf {
namespace {

// So that an error that stays doesn't take a processor.
constexpr std::chrono::milliseconds kPauseAfterError{20};

int fd_of(const Socket& socket) { return static_cast<int>(socket.native()); }

void set_option(const Socket& socket, int level, int name, int value) {
  // If the system refuses, the server still works, only less comfortably.
  (void)setsockopt(fd_of(socket), level, name, &value, sizeof(value));
}

void prepare(const Socket& socket) {
  fcntl(fd_of(socket), F_SETFL, O_NONBLOCK);
  fcntl(fd_of(socket), F_SETFD, FD_CLOEXEC);
}

static_assert(offsetof(sockaddr_in, sin_addr) == kIpv4AddressOffset);
static_assert(offsetof(sockaddr_in6, sin6_addr) == kIpv6AddressOffset);
static_assert(offsetof(sockaddr_in, sin_port) == kPortOffset);
static_assert(offsetof(sockaddr_in6, sin6_port) == kPortOffset);
static_assert(offsetof(sockaddr_in6, sin6_scope_id) == kIpv6ScopeOffset);
static_assert(sizeof(sockaddr_in) == kIpv4SocketAddressBytes);
static_assert(sizeof(sockaddr_in6) == kIpv6SocketAddressBytes);
static_assert(sizeof(sockaddr::sa_family) == sizeof(std::uint16_t));

std::string describe_listen_error(int code, const NetAddress& address, int port) {
  if (code == EADDRINUSE) {
    const std::string owners = describe_owners(address, port);
    return "the address is already in use by " + (owners.empty() ? "another program" : owners);
  }
  if (code == EACCES) return "no permission for this port";
  if (code == EADDRNOTAVAIL) return "this machine does not have the address";
  return system_text(std::error_code(code, std::generic_category()));
}

bool is_unavailable(int code) { return code == EAFNOSUPPORT || code == EADDRNOTAVAIL; }

// Unspecified if the system doesn't say.
sockaddr_storage own_address(const Socket& socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  getsockname(fd_of(socket), reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

IoResult result_of(ssize_t moved) {
  if (moved > 0) return {IoState::kMoved, static_cast<std::size_t>(moved)};
  if (moved == 0) return {IoState::kEnded};
  return {errno == EAGAIN ? IoState::kLater : IoState::kBroken};
}

}  // namespace

void close_socket(NativeSocket socket) { close(static_cast<int>(socket)); }

std::expected<std::vector<ListenPlace>, std::string> find_places(const std::string& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  // Any port will do: a socket gets its own later.
  const int failure = getaddrinfo(address.c_str(), "0", &hints, &found);
  if (failure != 0)
    return std::unexpected(std::string("the address is unknown: ") + gai_strerror(failure));
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owned(found, &freeaddrinfo);
  std::vector<ListenPlace> places;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    const bool is_ipv6 = one->ai_family == AF_INET6;
    const std::uint32_t scope =
        is_ipv6 ? reinterpret_cast<const sockaddr_in6*>(one->ai_addr)->sin6_scope_id : 0;
    places.push_back(
        {.address = address_in(one->ai_addr, is_ipv6), .is_ipv6 = is_ipv6, .scope = scope});
  }
  return places;
}

std::expected<Socket, ListenFailure> listen_at(const ListenPlace& place, int port) {
  const auto failed = [&] {
    const int code = errno;
    return std::unexpected(ListenFailure{.reason = describe_listen_error(code, place.address, port),
                                         .is_unavailable = is_unavailable(code)});
  };
  const int family = place.is_ipv6 ? AF_INET6 : AF_INET;
  Socket socket(static_cast<NativeSocket>(::socket(family, SOCK_STREAM, IPPROTO_TCP)));
  if (socket.native() == kNoSocket) return failed();
  prepare(socket);
  set_option(socket, SOL_SOCKET, SO_REUSEADDR, 1);
  if (place.is_ipv6) set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, 1);
  // Connections inherit these.
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, SOL_SOCKET, SO_SNDBUF, kSendBufferBytes);
  const SocketAddress address = to_socket_address(place, port, static_cast<std::uint16_t>(family));
  const auto* const generic = reinterpret_cast<const sockaddr*>(address.bytes.data());
  if (bind(fd_of(socket), generic, static_cast<socklen_t>(address.size)) != 0 ||
      listen(fd_of(socket), SOMAXCONN) != 0)
    return failed();
  return socket;
}

int local_port(const Socket& socket) {
  const sockaddr_storage address = own_address(socket);
  return port_in(&address);
}

NetAddress local_address(const Socket& socket) {
  const sockaddr_storage address = own_address(socket);
  return address_in(&address, address.ss_family == AF_INET6);
}

std::expected<Accepted, AcceptFailure> accept_from(const Socket& listener) {
  sockaddr_storage address{};
  socklen_t size = sizeof(address);
  const int accepted = accept4(fd_of(listener), reinterpret_cast<sockaddr*>(&address), &size,
                               SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (accepted < 0) {
    if (errno == EAGAIN) return std::unexpected(AcceptFailure::kNobody);
    const bool no_room = errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
    return std::unexpected(no_room ? AcceptFailure::kNoRoom : AcceptFailure::kAborted);
  }
  Accepted client{.socket = Socket(static_cast<NativeSocket>(accepted)),
                  .address = address_in(&address, address.ss_family == AF_INET6)};
  return client;
}

IoResult receive_from(const Socket& socket, std::span<char> buffer) {
  return result_of(recv(fd_of(socket), buffer.data(), buffer.size(), 0));
}

IoResult send_to(const Socket& socket, std::string_view bytes) {
  return result_of(send(fd_of(socket), bytes.data(), bytes.size(), MSG_NOSIGNAL));
}

void finish_sending(const Socket& socket) {
  // If this fails, the client has already closed the connection.
  (void)shutdown(fd_of(socket), SHUT_WR);
}

void wait_for(std::span<Watched> sockets, std::optional<std::chrono::milliseconds> time) {
  std::vector<pollfd> polled;
  polled.reserve(sockets.size());
  for (const Watched& one : sockets) {
    const int events = (one.for_reading ? POLLIN : 0) | (one.for_writing ? POLLOUT : 0);
    polled.push_back(
        {.fd = static_cast<int>(one.socket), .events = static_cast<short>(events), .revents = 0});
  }
  const auto most = std::chrono::milliseconds(std::numeric_limits<int>::max());
  const int timeout = time ? static_cast<int>(std::min(*time, most).count()) : -1;
  const int found = poll(polled.data(), polled.size(), timeout);
  if (found < 0 && errno != EINTR) std::this_thread::sleep_for(kPauseAfterError);
  if (found <= 0) return;
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    sockets[i].is_ready = (polled[i].revents & (POLLIN | POLLOUT)) != 0;
    sockets[i].is_broken = (polled[i].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
  }
}

Waker::Waker() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  reading_ = Socket(static_cast<NativeSocket>(ends[0]));
  writing_ = Socket(static_cast<NativeSocket>(ends[1]));
  prepare(reading_);
  prepare(writing_);
}

// A full pipe wakes as well.
void Waker::wake() const { (void)!write(fd_of(writing_), "", 1); }

void Waker::clear() const {
  std::array<char, 64> ignored{};
  while (read(fd_of(reading_), ignored.data(), ignored.size()) > 0) {
  }
}

std::size_t most_sockets() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 256;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur;
}

}  // namespace winperf
