// A connection and its socket: moves bytes between them, as many as the socket takes at once.
// Thread rule: one thread.
#pragma once

#include <cstdint>

#include "exporter/http/connection.h"
#include "exporter/http/socket.h"

namespace winperf {

class Client {
 public:
  using Time = Connection::Time;

  Client(Accepted accepted, const ConnectionLimits& limits, Time now)
      : connection(limits, now),
        socket_(std::move(accepted.socket)),
        address_(accepted.address),
        moved_(now) {}

  // The socket is ready or broken, or nobody has looked yet.
  void read(Time now);
  // Sends until the socket takes no more, up to a limit, so that others have their turn.
  void write(Time now);
  // What the system says about the socket.
  void see(const Watched& seen, Time now);
  // How the socket is to be watched; not at all if there is nothing to do before a time.
  std::optional<Watched> to_watch() const;
  // Whether it has to be written to without being watched.
  bool is_unwatched_sender() const;

  const NetAddress& address() const { return address_; }
  Time moved() const { return moved_; }  // when bytes of an answer went out last

  Connection connection;
  bool is_post = false;  // of the request that is being answered
  bool is_over = false;  // the socket is of no use any more

 private:
  Socket socket_;
  NetAddress address_;
  Time moved_;
  bool hung_up_ = false;
  bool end_is_sent_ = false;
};

}  // namespace winperf
