// Among whom a front divides what its clients share: threads, connections, memory and time.
//
// Each network has the same share, and within it those clients that have been answered before and
// those that haven't have one each: a scraper that keeps its connection doesn't compete with a
// burst of new ones, even of its own machine. Thread rule: values.
#pragma once

#include "exporter/http/port_owner.h"

namespace winperf {

struct Party {
  NetAddress network{};       // network_of() the client's address
  bool was_answered = false;  // its connection has had a whole answer before
};

}  // namespace winperf
