// A simulated machine for executables: furnished as in the tests, with the driver of
// tests/providers/kcs loaded, and with what a script says. Its clocks begin when the first of
// several processes makes it, so that a worker sees the machine of its parent. The script is text,
// statements separated by ';':
//   still                                   the clocks stand
//   server [troubled]                       instead of the tests' machine: a whole server, as
//                                           server/server_machine.h says, with the real time, or
//                                           one with the troubles of server/troubles.txt
//   processes COUNT                         the server has so many, of which some end all the time
//   names hostile                           ... and, beside what it has, processes, volumes,
//                                           adapters, services and so on that are called as
//                                           server/hostile_names.json says
//   lie PATH GUID COUNTER ADDED [INSTANCE]  on PATH (registry, perflib) a counter's raw value is
//                                           more by ADDED
//   hide PATH GUID INSTANCE                 on PATH an instance is missing
//   fail POINT CODE TIMES                   the next calls of a function answer a Win32 error
//   unload kcs                              the driver is installed, but not running
//   padding HOW                             of V2 blocks: counted, none, left_out, between_results
//   random SEED ONE_IN                      one call in ONE_IN goes wrong
//   faulty [eager]                          there is a V1 provider, with "Faulty Device" and
//                                           "Faulty Parts", that does what the file says which
//                                           WINPERF_FAULT_FILE names; so do PerfLib, the name table
//                                           and the clocks. eager: it is called for every query
//   library SERVICE KIND                    a V1 provider's library is "32-bit" or "missing"
//   perf_host STATE                         the service is running, stopped, disabled, absent
//   bulk VALUES                             there is a V1 object, "Bulk", with so many values
//   crowd COUNT [INSTANCES]                 there are so many V1 objects, "Crowd 0" and so on, with
//   so
//                                           many instances (10); only as many objects as the file
//                                           says that WINPERF_CROWD_FILE names
//   metadata STATE                          the system supports it (on) or not (off)
// passing_time.h says how time passes. Where WINPERF_OWN_SECTION names a file, the machine also has
// the exporter's own counters (own_provider.h), by the time of the program's clocks. POINT is data,
// info, add, open, registration, countersets, instances, registry.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tests/simulator/machine.h"
#include "tests/simulator/server/server_machine.h"

namespace winperf::simulator {

// The environment variable that holds the script of a simulated executable.
inline constexpr const char* kScenarioVariable = "WINPERF_SIMULATOR";
// And those that name the control files of the statements "faulty" and "crowd".
inline constexpr const char* kFaultFileVariable = "WINPERF_FAULT_FILE";
inline constexpr const char* kCrowdFileVariable = "WINPERF_CROWD_FILE";

// The error is a sentence.
std::expected<std::unique_ptr<Machine>, std::string> make_scenario(std::string_view script);

// The server that a script is about, if it is about one.
struct ScenarioServer {
  ServerKind kind{};
  std::int64_t boot_100ns = 0;  // a FILETIME
};
std::optional<ScenarioServer> server_in(std::string_view script);

// The time of the real machine, as a FILETIME.
std::int64_t real_time_100ns();

// Of the environment; ends the process with a message where the script is wrong.
std::unique_ptr<Machine> scenario_of_environment();

}  // namespace winperf::simulator
