// What the statements "processes" and "names" of a scenario add to the simulated server.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/simulator/server/server_data.h"

namespace winperf {

std::string_view server_hostile_names();  // the text of hostile_names.json

namespace simulator {

inline constexpr std::size_t kMostProcesses = 20'000;

// Until there are so many, as long as all that come and go are there. Of each ten, one begins anew
// every ten minutes, each at another time. Throws std::out_of_range if there are more already.
void add_processes(ServerData& data, std::size_t count);

// Names that no program may take for anything but text.
const std::vector<std::string>& hostile_names();
// Adds a process of each name, and one more row of it to another table: a volume, an adapter, a
// site of IIS and so on.
void add_hostile_names(ServerData& data);
// The id of the process that has the name at this place.
std::uint64_t hostile_process_id(std::size_t place);

}  // namespace simulator
}  // namespace winperf
