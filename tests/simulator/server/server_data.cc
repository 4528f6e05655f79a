#include "tests/simulator/server/server_data.h"

#include <algorithm>

namespace winperf::simulator {

std::optional<std::size_t> ServerTable::find(const std::string& column) const {
  const auto found = std::ranges::find(columns, column);
  if (found == columns.end()) return std::nullopt;
  return static_cast<std::size_t>(found - columns.begin());
}

}  // namespace winperf::simulator
