// The system's functions for a server: TCP sockets that never block, this machine's names, memory.
// Implemented in posix/ and win/.
//
// Thread rule: a socket belongs to one thread; Waker::wake() is for any. The system's sockets are
// set up and torn down by the first and the last user of this header.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/base/net_address.h"
#include "exporter/tls/transport.h"

namespace winperf {

// Without its addresses and localhost; none if the system doesn't say.
std::vector<std::string> names_of_this_machine();

// Returns free memory that the allocator keeps to the system, as far as possible. Takes
// milliseconds.
void return_free_memory();

// Large enough for a SOCKET of Windows and for a file descriptor.
using NativeSocket = std::uintptr_t;
inline constexpr NativeSocket kNoSocket = ~NativeSocket{0};

void close_socket(NativeSocket socket);

class Socket {
 public:
  Socket() = default;
  explicit Socket(NativeSocket native) : native_(native) {}
  Socket(Socket&& other) noexcept : native_(std::exchange(other.native_, kNoSocket)) {}
  Socket& operator=(Socket&& other) noexcept {
    std::swap(native_, other.native_);
    return *this;
  }
  ~Socket() {
    if (native_ != kNoSocket) close_socket(native_);
  }

  NativeSocket native() const { return native_; }

 private:
  NativeSocket native_ = kNoSocket;
};

// One address of this machine to listen on.
struct ListenPlace {
  NetAddress address{};
  bool is_ipv6 = false;
  std::uint32_t scope = 0;  // of a link-local IPv6 address
  bool operator==(const ListenPlace&) const = default;
};
struct ListenFailure {
  std::string reason;           // "no permission for this port"
  bool is_unavailable = false;  // this machine doesn't have the address, or its family
  bool may_be_taken = false;    // by another program
  bool is_in_use = false;       // by a listener, or by connections whose listener has gone
};

// The addresses of the name or literal. The error says in words why it is unknown.
[[nodiscard]] std::expected<std::vector<ListenPlace>, std::string> find_places(
    const std::string& address);
// On Windows no other process can share the port; elsewhere it can be reused as soon as its last
// owner has ended. `port` 0: any free one.
[[nodiscard]] std::expected<Socket, ListenFailure> listen_at(const ListenPlace& place, int port);
int local_port(const Socket& socket);

// The owner of the port: "prometheus.exe (process 1234)"; empty if it is unknown.
using DescribeOwners = std::function<std::string(const NetAddress& address, int port)>;

// Called when the port of an address is in use. Returns whether to try again, perhaps after a
// pause.
using AwaitPort = std::function<bool(const NetAddress& address, int port)>;

// Listens on every address of the name or literal, at one port; "" and "::" mean all addresses of
// both families. The error says in words why that is impossible: "the address is already in use by
// prometheus.exe (process 1234)".
[[nodiscard]] std::expected<std::vector<Socket>, std::string> listen_on(
    const std::string& address, int port, const DescribeOwners& describe_owners = {},
    const AwaitPort& await_port = {});

// About how much sent data the system may buffer per client. Clients that read nothing could
// otherwise make it hold megabytes each.
inline constexpr int kSendBufferBytes = 256 * 1024;

struct Accepted {
  Socket socket;
  NetAddress address{};  // the client's
};
enum class AcceptFailure : std::uint8_t {
  kNobody,   // no client waits
  kNoRoom,   // the system has no socket left for this process
  kAborted,  // the client has gone again, or something else that the next one needn't have
};
[[nodiscard]] std::expected<Accepted, AcceptFailure> accept_from(const Socket& listener);
// The address of this machine that the connection goes to.
NetAddress local_address(const Socket& socket);

[[nodiscard]] IoResult receive_from(const Socket& socket, std::span<char> buffer);
[[nodiscard]] IoResult send_to(const Socket& socket, std::string_view bytes);
// The other side reads an end after what was sent.
void finish_sending(const Socket& socket);

struct Watched {
  NativeSocket socket = kNoSocket;
  bool for_reading = false;
  bool for_writing = false;
  bool is_ready = false;   // for what it is watched for, or for an end or error that shows then
  bool is_broken = false;  // regardless of what it is watched for
};
// Waits until one is ready or broken, or until the time is over; without a time, forever.
void wait_for(std::span<Watched> sockets, std::optional<std::chrono::milliseconds> time);

// Ends a wait_for() from another thread: a socket that is ready to be read after wake().
class Waker {
 public:
  Waker();  // throws std::system_error if the system has no socket left
  NativeSocket socket() const { return reading_.native(); }
  void wake() const;
  void clear() const;

 private:
  Socket reading_;
  Socket writing_;  // where one socket isn't both
};

// How many sockets this process may have open; raises the limit as far as the system lets it.
std::size_t most_sockets();

}  // namespace winperf
