// The statement "counter" of the files *.counters, as parse.h describes it. Whoever calls these
// functions catches Misunderstood.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/simulator/server/server_data.h"

namespace winperf::simulator {

// A counter that is made of others, which are looked up when all are known.
struct UnfinishedSum {
  std::size_t counter = 0;
  std::string text;  // "as NAME (+) NAME"
};

// Adds the counter to the object, and its base. `table`: of the object's instances, or null.
std::vector<UnfinishedSum> add_counter(ServerObject& object, const std::vector<std::string>& cells,
                                       const ServerTable* table, bool is_v2);

// "236 LogicalDisk": the number, if there is one, is taken off the text.
std::optional<std::uint32_t> take_number(std::string& text);

}  // namespace winperf::simulator
