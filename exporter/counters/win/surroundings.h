// Windows, as the extension DLL uses it: KERNEL32 and ADVAPI32 alone, which each process has
// loaded before.
//
// Compiled into the DLL (counter_row.h). Thread rule: any thread.
#pragma once

#include "exporter/counters/extension.h"

namespace winperf::own {

// For a constant, which needs no code when the DLL is loaded.
std::uint32_t read_registered_indices(void* context, TitleIndices& indices);
std::uint32_t with_mapped_section(void* context, void (*use)(void* of_use, std::span<const Word>),
                                  void* of_use);
std::int64_t system_filetime(void* context);
std::uint64_t system_tick(void* context);
void report_event(void* context, Trouble trouble, std::uint32_t detail);

inline constexpr Surroundings kWindowsSurroundings{.read_indices = read_registered_indices,
                                                   .with_section = with_mapped_section,
                                                   .now = system_filetime,
                                                   .tick = system_tick,
                                                   .report = report_event};

// Keeps the DLL loaded until the process ends.
void stay_loaded();

}  // namespace winperf::own
