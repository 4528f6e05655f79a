// The processes of this machine, as far as checks need them: those that a server has started, what
// each has used, and an end from outside.
//
// Windows' list (NtQuerySystemInformation) is a chain of entries, each followed by its threads;
// validated: every range, and that the chain goes forward. A number that the system doesn't know is
// missing; zero counts as unknown where every process has some. Thread rule: any thread.
// Source: Learn, NtQuerySystemInformation, SYSTEM_PROCESS_INFORMATION and
// SYSTEM_THREAD_INFORMATION. Implemented in win/ and posix/, chosen by CMake.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "service/selftest/program.h"

namespace winperf::selftest {

struct ProcessFacts {
  std::uint32_t id = 0;
  std::uint32_t parent = 0;
  ProgramUse use{};
  // How often its threads that still exist began to run: each wake-up is one.
  std::optional<std::uint64_t> switches{};
};

// All that this account may see; empty if the system refuses.
std::vector<ProcessFacts> list_processes();
// Those whose parent it is, in the order of their ids.
std::vector<ProcessFacts> children_of(std::uint32_t parent);
std::optional<ProcessFacts> facts_of(std::uint32_t id);

// As any other program with the right to do so could end it, without warning. False: it is refused.
bool end_process(std::uint32_t id);

// Windows' list; what doesn't fit into the bytes is left out.
std::vector<ProcessFacts> parse_processes(std::span<const std::byte> list);

}  // namespace winperf::selftest
