// The section of the exporter's own counters as a simulated machine has it: a file, which a
// simulated exporter writes and its monitors, in other processes, read.
//
// Validated: nothing; own::SectionView does that. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>

#include "exporter/counters/own_state.h"
#include "exporter/counters/section_layout.h"

namespace winperf::simulator {

// The environment variable that names the file. Where it is set, a simulated machine has the
// exporter's own counters.
inline constexpr const char* kOwnSectionVariable = "WINPERF_OWN_SECTION";

// Calls `use` once with the file, which is mapped for as long as that takes, and returns 0; or a
// Win32 error, ERROR_FILE_NOT_FOUND where there is no file.
using UseSection = void (*)(void* of_use, std::span<const own::Word> words);
std::uint32_t with_section_file(const std::filesystem::path& file, UseSection use, void* of_use);

// The newest whole state, with its values as they are; or nothing where there is none, or it is
// older than what the exporter's own provider shows. `now`: a FILETIME.
std::optional<own::OwnState> state_in(const std::filesystem::path& file, std::int64_t now);

}  // namespace winperf::simulator
