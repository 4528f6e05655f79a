// GET /api/v1/top: which instances had most of a counter over a time:
//   {"since", "until", "counterset", "counter", "type",
//    "leaders": [{"instance", ..., "from", "to", "cooked", "weight", "born", "ended"}]}
// since and until are null if nothing was recorded then. from and to are the times of the samples
// between which cooked was computed; weight is what leaders are ordered by
// (collectors/recorder/leaders.h). born and ended say whether the instance began or ended in that
// time. The keys of an instance are those of append_identity() and append_owner(). Thread rule:
// pure function.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "collectors/model/sample.h"
#include "collectors/recorder/leaders.h"

namespace winperf::json {

struct Leaders {
  std::optional<Ticks100ns> since{};
  std::optional<Ticks100ns> until{};
  std::string counterset;
  std::string counter;
  CounterType type{};
  std::vector<recorder::Leader> leaders{};
  recorder::ProcessOwners owners{};
};

[[nodiscard]] std::string top_document(const Leaders& leaders);

}  // namespace winperf::json
