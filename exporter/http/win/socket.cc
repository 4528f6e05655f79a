#include "exporter/http/socket.h"

#include <winsock2.h>
// After winsock2.h:
#include <ws2tcpip.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <system_error>

#include "collectors/base/system_text.h"
#include "exporter/http/socket_address.h"

namespace winperf {
namespace {

// So that an error that stays doesn't take a processor.
constexpr std::chrono::duration<DWORD, std::milli> kPauseAfterError{20};

// Programs that filter what a machine sends may drop the datagram of a waker, and under Wine a
// test's client has waited in vain. Whatever was missed, looking again so soon finds it.
constexpr std::chrono::milliseconds kLongestWait{5'000};

// The system counts the calls, so that others may do the same.
class Winsock {
 public:
  Winsock() {
    WSADATA data{};
    started_ = WSAStartup(MAKEWORD(2, 2), &data) == 0;
  }
  Winsock(const Winsock&) = delete;
  Winsock& operator=(const Winsock&) = delete;
  ~Winsock() {
    if (started_) WSACleanup();
  }

 private:
  bool started_;
};
const Winsock winsock;

SOCKET handle_of(const Socket& socket) { return static_cast<SOCKET>(socket.native()); }

void set_option(const Socket& socket, int level, int name, int value) {
  // If the system refuses, the server still works, only less comfortably.
  (void)setsockopt(handle_of(socket), level, name, reinterpret_cast<const char*>(&value),
                   sizeof(value));
}

void prepare(const Socket& socket) {
  u_long on = 1;
  ioctlsocket(handle_of(socket), FIONBIO, &on);
  SetHandleInformation(reinterpret_cast<HANDLE>(handle_of(socket)), HANDLE_FLAG_INHERIT, 0);
}

std::string windows_text(int code) {
  return system_text(std::error_code(code, std::system_category()));
}

static_assert(offsetof(sockaddr_in, sin_addr) == kIpv4AddressOffset);
static_assert(offsetof(sockaddr_in6, sin6_addr) == kIpv6AddressOffset);
static_assert(offsetof(sockaddr_in, sin_port) == kPortOffset);
static_assert(offsetof(sockaddr_in6, sin6_port) == kPortOffset);
static_assert(offsetof(sockaddr_in6, sin6_scope_id) == kIpv6ScopeOffset);
static_assert(sizeof(sockaddr_in) == kIpv4SocketAddressBytes);
static_assert(sizeof(sockaddr_in6) == kIpv6SocketAddressBytes);
static_assert(sizeof(sockaddr::sa_family) == sizeof(std::uint16_t));
static_assert(INVALID_SOCKET == kNoSocket);

std::string describe_listen_error(int code, const NetAddress& address, int port) {
  // "Access denied" may mean that a program holds the port exclusively, or under another account.
  if (code == WSAEADDRINUSE || code == WSAEACCES) {
    const std::string owners = describe_owners(address, port);
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

bool is_unavailable(int code) { return code == WSAEAFNOSUPPORT || code == WSAEADDRNOTAVAIL; }

// Unspecified if the system doesn't say.
sockaddr_storage own_address(const Socket& socket) {
  sockaddr_storage address{};
  int size = sizeof(address);
  getsockname(handle_of(socket), reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

IoResult result_of(int moved) {
  if (moved > 0) return {IoState::kMoved, static_cast<std::size_t>(moved)};
  if (moved == 0) return {IoState::kEnded};
  return {WSAGetLastError() == WSAEWOULDBLOCK ? IoState::kLater : IoState::kBroken};
}

int int_size(std::size_t size) {
  return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
}

}  // namespace

void close_socket(NativeSocket socket) { closesocket(static_cast<SOCKET>(socket)); }

std::expected<std::vector<ListenPlace>, std::string> find_places(const std::string& address) {
  ADDRINFOA hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  ADDRINFOA* found = nullptr;
  // Any port will do: a socket gets its own later.
  const int failure = getaddrinfo(address.c_str(), "0", &hints, &found);
  if (failure != 0) return std::unexpected("the address is unknown: " + windows_text(failure));
  const std::unique_ptr<ADDRINFOA, decltype(&freeaddrinfo)> owned(found, &freeaddrinfo);
  std::vector<ListenPlace> places;
  for (const ADDRINFOA* one = found; one != nullptr; one = one->ai_next) {
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
    const int code = WSAGetLastError();
    return std::unexpected(ListenFailure{.reason = describe_listen_error(code, place.address, port),
                                         .is_unavailable = is_unavailable(code)});
  };
  const int family = place.is_ipv6 ? AF_INET6 : AF_INET;
  Socket socket(static_cast<NativeSocket>(::socket(family, SOCK_STREAM, IPPROTO_TCP)));
  if (socket.native() == kNoSocket) return failed();
  prepare(socket);
  // Without this, any process can bind to the same port.
  set_option(socket, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, 1);
  if (place.is_ipv6) set_option(socket, IPPROTO_IPV6, IPV6_V6ONLY, 1);
  // Connections inherit these.
  set_option(socket, IPPROTO_TCP, TCP_NODELAY, 1);
  set_option(socket, SOL_SOCKET, SO_SNDBUF, kSendBufferBytes);
  const SocketAddress address = to_socket_address(place, port, static_cast<std::uint16_t>(family));
  const auto* const generic = reinterpret_cast<const sockaddr*>(address.bytes.data());
  if (bind(handle_of(socket), generic, address.size) != 0 ||
      listen(handle_of(socket), SOMAXCONN) != 0)
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
  int size = sizeof(address);
  const SOCKET accepted = accept(handle_of(listener), reinterpret_cast<sockaddr*>(&address), &size);
  if (accepted == INVALID_SOCKET) {
    const int code = WSAGetLastError();
    if (code == WSAEWOULDBLOCK) return std::unexpected(AcceptFailure::kNobody);
    const bool no_room = code == WSAEMFILE || code == WSAENOBUFS;
    return std::unexpected(no_room ? AcceptFailure::kNoRoom : AcceptFailure::kAborted);
  }
  Accepted client{.socket = Socket(static_cast<NativeSocket>(accepted)),
                  .address = address_in(&address, address.ss_family == AF_INET6)};
  prepare(client.socket);
  return client;
}

IoResult receive_from(const Socket& socket, std::span<char> buffer) {
  return result_of(recv(handle_of(socket), buffer.data(), int_size(buffer.size()), 0));
}

IoResult send_to(const Socket& socket, std::string_view bytes) {
  return result_of(send(handle_of(socket), bytes.data(), int_size(bytes.size()), 0));
}

void finish_sending(const Socket& socket) {
  // If this fails, the client has already closed the connection.
  (void)shutdown(handle_of(socket), SD_SEND);
}

void wait_for(std::span<Watched> sockets, std::optional<std::chrono::milliseconds> time) {
  std::vector<WSAPOLLFD> polled;
  polled.reserve(sockets.size());
  for (const Watched& one : sockets) {
    const int events = (one.for_reading ? POLLRDNORM : 0) | (one.for_writing ? POLLWRNORM : 0);
    polled.push_back({.fd = static_cast<SOCKET>(one.socket),
                      .events = static_cast<SHORT>(events),
                      .revents = 0});
  }
  const auto timeout =
      static_cast<INT>(std::min(time.value_or(kLongestWait), kLongestWait).count());
  const int found = WSAPoll(polled.data(), static_cast<ULONG>(polled.size()), timeout);
  if (found == SOCKET_ERROR) Sleep(kPauseAfterError.count());
  if (found <= 0) return;
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    sockets[i].is_ready = (polled[i].revents & (POLLRDNORM | POLLWRNORM)) != 0;
    sockets[i].is_broken = (polled[i].revents & (POLLERR | POLLHUP | POLLNVAL)) != 0;
  }
}

// WSAPoll takes sockets only: this one sends datagrams to itself, and takes them from nobody else.
Waker::Waker() : reading_(static_cast<NativeSocket>(::socket(AF_INET, SOCK_DGRAM, IPPROTO_UDP))) {
  set_option(reading_, SOL_SOCKET, SO_EXCLUSIVEADDRUSE, 1);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int size = sizeof(address);
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (reading_.native() == kNoSocket || bind(handle_of(reading_), generic, size) != 0 ||
      getsockname(handle_of(reading_), generic, &size) != 0 ||
      connect(handle_of(reading_), generic, size) != 0)
    throw std::system_error(WSAGetLastError(), std::system_category(), "wake-up socket");
  prepare(reading_);
}

void Waker::wake() const { (void)send(handle_of(reading_), "", 1, 0); }

void Waker::clear() const {
  std::array<char, 64> ignored{};
  while (recv(handle_of(reading_), ignored.data(), int_size(ignored.size()), 0) > 0) {
  }
}

// Windows limits them by memory alone.
std::size_t most_sockets() { return std::numeric_limits<std::size_t>::max(); }

}  // namespace winperf
