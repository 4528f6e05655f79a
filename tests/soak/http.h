// A connection to a server on this machine, for requests one after the other. Errors are
// exceptions; so is a server that doesn't answer for a minute. Thread rule: one thread.
#pragma once

#include <string>
#include <string_view>

#include "collectors/base/posix/descriptor.h"

namespace winperf::soak {

struct Answer {
  int status = 0;
  std::string body;  // as it was sent, perhaps compressed
};

class HttpConnection {
 public:
  explicit HttpConnection(int port);

  // `headers`: further lines, each with its end.
  Answer ask(std::string_view method, std::string_view path, std::string_view headers = {});
  // Any bytes. The server may have closed the connection.
  void send(std::string_view bytes);

 private:
  // Until `received_` has so many bytes.
  void receive(std::size_t bytes);

  Descriptor socket_;
  std::string received_;
};

}  // namespace winperf::soak
