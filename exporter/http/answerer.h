// Who makes the answers that a Front sends. Thread rule: any thread; several at once.
#pragma once

#include "exporter/http/connection.h"
#include "exporter/http/effort.h"
#include "exporter/http/party.h"

namespace winperf {

// What a request's connection says about it.
struct Asker {
  bool is_local = false;  // it comes from this machine
  NetAddress address{};   // the client's, or its proxy's
  bool is_last = false;   // no other request is answered over this connection
  Party party{};
};

class Answerer {
 public:
  Answerer() = default;
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;
  virtual ~Answerer() = default;

  virtual Answer answer(const RequestHead& request, const Asker& asker) = 0;
  // Both take no time: the front's only thread may call them.
  virtual Effort effort_of(const RequestHead& request) = 0;
  virtual Answer refuse(const Refusal& refusal) = 0;  // the connection closes after it
};

}  // namespace winperf
