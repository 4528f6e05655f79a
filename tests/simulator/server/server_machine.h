// The server that people may try: a machine with the countersets that windows_exporter's collectors
// read, from the system's own to those of IIS, two instances of SQL Server, Active Directory and so
// on. The files *.counters beside this one say what it has, and parse.h how they are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "tests/simulator/machine.h"
#include "tests/simulator/server/server_data.h"
#include "tests/simulator/server/troubles.h"

namespace winperf::simulator {

// What a scenario says of it.
struct ServerKind {
  Health health = Health::kWell;
  std::size_t processes = 0;  // so many; 0: those of the files
  bool has_hostile_names = false;
};

// What the files say, with title indices for all objects and counters. They are part of the
// executable, so that an error in them ends the process with a message. Throws std::out_of_range
// for too few processes, or too many.
ServerData server_data(const ServerKind& kind = {});
// Of it, what every server has: the countersets of the system itself.
ServerData usual_server_data();

// `machine` is empty before. Its server was started at `boot_100ns`, a FILETIME.
void furnish_server(Machine& machine, std::int64_t boot_100ns, const ServerKind& kind = {});
// The same for a machine whose clock began when it was started, with data that it may share.
void furnish_server(Machine& machine, std::shared_ptr<const ServerData> data);

// How long before a new machine's clocks the server was started: it has counted for a while.
inline constexpr std::int64_t kServerUpTime100ns = std::int64_t{1'051'237} * 10'000'000;

}  // namespace winperf::simulator
