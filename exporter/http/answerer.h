// What a front asks of whoever makes its answers. Thread rule: values; the class says its own.
#pragma once

#include <array>
#include <cstdint>

#include "exporter/http/connection.h"

namespace winperf {

// What kind of work an answer is, so that one kind can't take all threads.
enum class Effort : std::uint8_t {
  kPlain,  // what everybody shares, such as the whole page, or next to nothing
  kDear,   // made for whoever asks: a part of the page, JSON, another machine's page
  kSlow,   // waits for something else, such as a reload
};
inline constexpr std::array kAllEfforts{Effort::kPlain, Effort::kDear, Effort::kSlow};

// Among whom a front divides what its clients share: threads, connections, memory and time.
//
// Each network has the same share, and within it those clients that have been answered before and
// those that haven't have one each: a scraper that keeps its connection doesn't compete with a
// burst of new ones, even of its own machine.
struct Party {
  NetAddress network{};       // network_of() the client's address
  bool was_answered = false;  // its connection has had a whole answer before
};

// Thread rule: any thread; several at once.
class Answerer {
 public:
  Answerer() = default;
  Answerer(const Answerer&) = delete;
  Answerer& operator=(const Answerer&) = delete;
  virtual ~Answerer() = default;

  // `is_last`: no other request is answered over its connection.
  virtual Answer answer(const RequestHead& request, bool is_last) = 0;
  // Both take no time: the front's only thread may call them.
  virtual Effort effort_of(const RequestHead& request) = 0;
  virtual Answer refuse(const Refusal& refusal) = 0;  // the connection closes after it
};

}  // namespace winperf
