// winsock2.h has to come before windows.h.
#include <winsock2.h>
#include <ws2tcpip.h>

#include <memory>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/diagnosis/trial.h"

namespace winperf {
namespace {

constexpr const wchar_t* kSmbPort = L"445";
constexpr int kWaitMs = 3'000;  // for one address
constexpr int kMaxAddresses = 4;

struct SocketTraits {
  using Handle = SOCKET;
  static SOCKET invalid() { return INVALID_SOCKET; }
  static void close(SOCKET socket) { closesocket(socket); }
};
using UniqueSocket = UniqueHandle<SocketTraits>;

class WinsockUse {
 public:
  WinsockUse() {
    WSADATA data{};
    started_ = WSAStartup(MAKEWORD(2, 2), &data) == 0;
  }
  WinsockUse(const WinsockUse&) = delete;
  WinsockUse& operator=(const WinsockUse&) = delete;
  ~WinsockUse() {
    if (started_) WSACleanup();
  }
  bool started() const { return started_; }

 private:
  bool started_ = false;
};

bool takes_connection(const ADDRINFOW& address) {
  const UniqueSocket socket(WSASocketW(address.ai_family, SOCK_STREAM, IPPROTO_TCP, nullptr, 0,
                                       WSA_FLAG_NO_HANDLE_INHERIT));
  u_long non_blocking = 1;
  if (!socket || ioctlsocket(socket.get(), FIONBIO, &non_blocking) != 0) return false;
  const int connected =
      connect(socket.get(), address.ai_addr, static_cast<int>(address.ai_addrlen));
  if (connected == 0) return true;
  if (WSAGetLastError() != WSAEWOULDBLOCK) return false;
  WSAPOLLFD waiting{.fd = socket.get(), .events = POLLOUT, .revents = 0};
  const bool is_over = WSAPoll(&waiting, 1, kWaitMs) > 0;
  return is_over && (waiting.revents & (POLLERR | POLLHUP)) == 0;
}

}  // namespace

void probe_target(TargetFacts& target) {
  const WinsockUse winsock;
  if (!winsock.started()) return;
  ADDRINFOW hints{};
  hints.ai_socktype = SOCK_STREAM;
  ADDRINFOW* found = nullptr;
  const int status = GetAddrInfoW(to_wide(target.host).c_str(), kSmbPort, &hints, &found);
  const std::unique_ptr<ADDRINFOW, decltype(&FreeAddrInfoW)> addresses(found, &FreeAddrInfoW);
  if (status == 0) target.has_address = true;
  if (status == WSAHOST_NOT_FOUND || status == WSANO_DATA) target.has_address = false;
  if (status != 0) return;
  target.answers_smb = false;
  int tried = 0;
  for (const ADDRINFOW* one = addresses.get(); one != nullptr && tried < kMaxAddresses;
       one = one->ai_next, ++tried)
    if (takes_connection(*one)) target.answers_smb = true;
}

}  // namespace winperf
