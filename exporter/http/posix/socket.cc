#include "exporter/http/socket.h"

#include <fcntl.h>
#include <malloc.h>
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
#include <cstring>
#include <limits>
#include <memory>
#include <system_error>
#include <thread>

#include "collectors/base/system_text.h"

namespace winperf {
namespace {

// So that an error that stays doesn't take a processor.
constexpr std::chrono::milliseconds kPauseAfterError{20};

using SocketLength = socklen_t;

// A port can be reused as soon as its last owner has ended.
constexpr int kPortSharing = SO_REUSEADDR;
constexpr int kEndOfSending = SHUT_WR;
constexpr int kSendFlags = MSG_NOSIGNAL;
constexpr int kReadable = POLLIN;
constexpr int kWritable = POLLOUT;

int handle_of(const Socket& socket) { return static_cast<int>(socket.native()); }

void prepare(NativeSocket socket) {
  fcntl(static_cast<int>(socket), F_SETFL, O_NONBLOCK);
  fcntl(static_cast<int>(socket), F_SETFD, FD_CLOEXEC);
}

NativeSocket accept_native(const Socket& listener, sockaddr* address, SocketLength* size) {
  return static_cast<NativeSocket>(
      accept4(handle_of(listener), address, size, SOCK_NONBLOCK | SOCK_CLOEXEC));
}

int poll_all(std::vector<pollfd>& polled, std::optional<std::chrono::milliseconds> time) {
  const auto most = std::chrono::milliseconds(std::numeric_limits<int>::max());
  const int timeout = time ? static_cast<int>(std::min(*time, most).count()) : -1;
  const int found = poll(polled.data(), polled.size(), timeout);
  if (found < 0 && errno != EINTR) std::this_thread::sleep_for(kPauseAfterError);
  return found;
}

std::size_t transfer_size(std::size_t size) { return size; }

int last_error() { return errno; }
bool would_block(int code) { return code == EAGAIN; }
bool is_unavailable(int code) { return code == EAFNOSUPPORT || code == EADDRNOTAVAIL; }
bool is_no_room(int code) {
  return code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM;
}

bool is_in_use(int code) { return code == EADDRINUSE; }
bool may_be_taken(int code) { return is_in_use(code); }

std::string describe_listen_error(int code) {
  if (code == EADDRINUSE) return "the address is already in use by another program";
  if (code == EACCES) return "no permission for this port";
  if (code == EADDRNOTAVAIL) return "this machine does not have the address";
  return system_text(std::error_code(code, std::generic_category()));
}

std::string describe_unknown(int failure) { return gai_strerror(failure); }

}  // namespace
}  // namespace winperf

#include "exporter/http/berkeley_sockets.inc"

namespace winperf {

void close_socket(NativeSocket socket) { close(static_cast<int>(socket)); }

Waker::Waker() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  reading_ = Socket(static_cast<NativeSocket>(ends[0]));
  writing_ = Socket(static_cast<NativeSocket>(ends[1]));
  prepare(reading_.native());
  prepare(writing_.native());
}

// A full pipe wakes as well.
void Waker::wake() const { (void)!write(handle_of(writing_), "", 1); }

void Waker::clear() const {
  std::array<char, 64> ignored{};
  while (read(handle_of(reading_), ignored.data(), ignored.size()) > 0) {
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

std::vector<std::string> names_of_this_machine() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  std::vector<std::string> names{name.data()};
  // The name may have its domain or not.
  if (const std::size_t dot = names.front().find('.'); dot != std::string::npos)
    names.push_back(names.front().substr(0, dot));
  return names;
}

void return_free_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace winperf
