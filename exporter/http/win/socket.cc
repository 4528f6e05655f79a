#include "exporter/http/socket.h"

#include <winsock2.h>
// After winsock2.h:
#include <malloc.h>
#include <ws2tcpip.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <memory>
#include <system_error>

#include "collectors/base/system_text.h"
#include "collectors/base/win/wide.h"

namespace winperf {
namespace {

// So that an error that stays doesn't take a processor.
constexpr std::chrono::duration<DWORD, std::milli> kPauseAfterError{20};

// Network filters may drop a waker's datagram, and under Wine a test's client has waited without
// success. Polling again this soon finds anything that was missed.
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

static_assert(INVALID_SOCKET == kNoSocket);

using SocketLength = int;

// Otherwise any process can bind to the same port.
constexpr int kPortSharing = SO_EXCLUSIVEADDRUSE;
constexpr int kEndOfSending = SD_SEND;
constexpr int kSendFlags = 0;
constexpr int kReadable = POLLRDNORM;
constexpr int kWritable = POLLWRNORM;

SOCKET handle_of(const Socket& socket) { return static_cast<SOCKET>(socket.native()); }

void prepare(NativeSocket socket) {
  u_long on = 1;
  ioctlsocket(static_cast<SOCKET>(socket), FIONBIO, &on);
  SetHandleInformation(reinterpret_cast<HANDLE>(socket), HANDLE_FLAG_INHERIT, 0);
}

NativeSocket accept_native(const Socket& listener, sockaddr* address, SocketLength* size) {
  const auto client = static_cast<NativeSocket>(accept(handle_of(listener), address, size));
  if (client != kNoSocket) prepare(client);
  return client;
}

int poll_all(std::vector<pollfd>& polled, std::optional<std::chrono::milliseconds> time) {
  const auto timeout =
      static_cast<INT>(std::min(time.value_or(kLongestWait), kLongestWait).count());
  const int found = WSAPoll(polled.data(), static_cast<ULONG>(polled.size()), timeout);
  if (found == SOCKET_ERROR) Sleep(kPauseAfterError.count());
  return found;
}

int transfer_size(std::size_t size) {
  return static_cast<int>(std::min<std::size_t>(size, std::numeric_limits<int>::max()));
}

int last_error() { return WSAGetLastError(); }
bool would_block(int code) { return code == WSAEWOULDBLOCK; }
bool is_unavailable(int code) { return code == WSAEAFNOSUPPORT || code == WSAEADDRNOTAVAIL; }
bool is_no_room(int code) { return code == WSAEMFILE || code == WSAENOBUFS; }

std::string describe_unknown(int failure) {
  return system_text(std::error_code(failure, std::system_category()));
}

// "Access denied" may mean that a program holds the port exclusively, or under another account.
bool is_in_use(int code) { return code == WSAEADDRINUSE; }
bool may_be_taken(int code) { return is_in_use(code) || code == WSAEACCES; }

std::string describe_listen_error(int code) {
  if (code == WSAEADDRINUSE) return "the address is already in use by another program";
  if (code == WSAEACCES) {
    return "no permission for this port: another program holds it exclusively, or Windows has "
           "reserved it (netsh interface ipv4 show excludedportrange protocol=tcp)";
  }
  if (code == WSAEADDRNOTAVAIL) return "this machine does not have the address";
  return describe_unknown(code);
}

}  // namespace
}  // namespace winperf

#include "exporter/http/berkeley_sockets.inc"

namespace winperf {

void close_socket(NativeSocket socket) { closesocket(static_cast<SOCKET>(socket)); }

// WSAPoll takes sockets only: this one sends datagrams to itself, and accepts no others.
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
  prepare(reading_.native());
}

void Waker::wake() const { (void)send(handle_of(reading_), "", 1, 0); }

void Waker::clear() const {
  std::array<char, 64> ignored{};
  while (recv(handle_of(reading_), ignored.data(), transfer_size(ignored.size()), 0) > 0) {
  }
}

// Windows limits them by memory alone.
std::size_t most_sockets() { return std::numeric_limits<std::size_t>::max(); }

std::vector<std::string> names_of_this_machine() {
  std::vector<std::string> names;
  for (const COMPUTER_NAME_FORMAT format :
       {ComputerNameDnsHostname, ComputerNameDnsFullyQualified, ComputerNameNetBIOS}) {
    std::array<wchar_t, 512> name{};
    auto size = static_cast<DWORD>(name.size());
    if (GetComputerNameExW(format, name.data(), &size) != 0)
      names.push_back(to_utf8({name.data(), size}));
  }
  return names;
}

void return_free_memory() { (void)_heapmin(); }

}  // namespace winperf
