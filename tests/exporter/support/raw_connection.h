// A TCP connection to a server on this machine over which a test sends any bytes it likes.
// Its socket is implemented in posix/ and win/. Errors end the test by an exception; so does a
// server that neither answers nor closes the connection within a minute.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace winperf::testing {

class RawConnection {
 public:
  // `from`: the last number of this machine's address 127.0.0.N that it comes from.
  explicit RawConnection(int port, std::uint8_t from = 1);
  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;
  ~RawConnection();

  void send(std::string_view bytes);
  // Says that nothing more will be sent.
  void finish_sending();
  // What comes next, at least a byte; nothing if the server has closed the connection.
  std::string receive_some();
  // Everything until the server closes the connection.
  std::string receive_all();
  // Until this text is among what was received, or the server closes the connection.
  std::string receive_until(std::string_view text);

 private:
  std::uintptr_t socket_;
};

// Whether nobody listens on this port of 127.0.0.1. Unlike try_listening(), it doesn't find out who
// does, which takes long where many programs run.
bool is_free(int port);

}  // namespace winperf::testing
