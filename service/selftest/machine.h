// What checks look at and do on the machine, outside of the program: traces that it leaves, and the
// end of one of its processes. Validated: types and sizes of what Windows returns. Errors: a
// sentence; what can't be read is no trace. Thread rule: any thread. Implemented in win/ and
// posix/.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::selftest {

// How the traces of an installation begin.
inline constexpr std::string_view kProgramTrace = "the installed program ";
inline constexpr std::string_view kProgramFolderTrace = "the program folder ";
inline constexpr std::string_view kInstallerTrace = "the key of the installer ";

// Everything on this machine that has the program's name, or that it gives to its services, without
// what is in its folders: keys, folders, members of a group, and names of counters. Sorted, each
// for a person, such as "the data folder C:\ProgramData\winperf_exporter".
std::vector<std::string> machine_traces();

// Ends a process without a word, as a crash does, if it runs this executable.
[[nodiscard]] std::expected<void, std::string> end_process_of(
    std::uint32_t id, const std::filesystem::path& executable);

}  // namespace winperf::selftest
