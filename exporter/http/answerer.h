// Who makes the answers that a Front sends. Thread rule: any thread; several at once.
#pragma once

#include "exporter/http/connection.h"

namespace winperf {

// What a request's connection says about it.
struct Asker {
  bool is_local = false;  // it comes from this machine
  NetAddress address{};   // the client's, or its proxy's
  bool is_last = false;   // no other request is answered over this connection
};

class Answerer {
 public:
  Answerer() = default;
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;
  virtual ~Answerer() = default;

  virtual Answer answer(const RequestHead& request, const Asker& asker) = 0;
  // Takes no time: the front's only thread may call it. The connection closes after it.
  virtual Answer refuse(const Refusal& refusal) = 0;
};

}  // namespace winperf
