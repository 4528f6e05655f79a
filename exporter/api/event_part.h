// How an event is written (events.h). Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/sample.h"

namespace winperf::api {

struct EventValue {
  double cooked = 0;
  std::string_view reason{};  // why there is no value; empty if there is one
};

struct EventColumn {
  std::string_view name;           // of the counter
  std::vector<EventValue> values;  // one for each instance
};

// What a path has of one sample of a counterset. Lifetime: that of the sample.
struct EventPart {
  std::string_view path;  // as the client wrote it
  std::string_view counterset;
  std::optional<Ticks100ns> sampled_at{};
  std::vector<const InstanceSchema*> instances{};  // none if the object has none
  std::vector<EventColumn> columns{};
  std::size_t left_out = 0;  // further values
  std::string error{};       // why it cannot be read; empty if it can
};

// {"values": [...]}; empty without parts.
std::string event_document(const std::vector<EventPart>& parts);

}  // namespace winperf::api
