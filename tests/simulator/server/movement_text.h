// The movements in the files *.counters, as parse.h describes them. Whoever calls these functions
// catches Misunderstood.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/simulator/server/server_data.h"

namespace winperf::simulator {

struct Misunderstood {
  std::string what;  // "there is no column size"
};

// Without blanks at its ends.
std::string_view trimmed(std::string_view text);
std::vector<std::string> split(std::string_view text, std::string_view separator);
// "12", "0.5" or "1/3600".
std::optional<double> number_or_none(std::string_view text);
double number_in(std::string_view text);

// `table`: of the object's instances; null for an object without any. The counters that a sum names
// are looked up later, in `object`, when that has all of them.
Movement movement_in(std::string_view text, const ServerTable* table);
void find_counters(Movement& movement, std::string_view text, const ServerObject& object);
// The place of a counter that is no base.
std::size_t counter_named(const ServerObject& object, std::string_view name);

}  // namespace winperf::simulator
