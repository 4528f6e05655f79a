// What the system has really given workers of the program (token, job, policies, memory, console),
// next to what was asked for: Wine ignores most of it, and a Windows may refuse some.
//
// Implemented in win/ and posix/, chosen by CMake. The workers are started as the program starts
// them, asked nothing, and ended. Errors: in the values. Thread rule: one thread.
// docs/windows.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/stop.h"
#include "service/selftest/check.h"

namespace winperf::selftest {

// One restriction. `got`: in words or hexadecimal digits; "unknown" if the system doesn't say.
struct Grant {
  std::string what;
  std::string wanted;
  std::string got;
  bool operator==(const Grant&) const = default;
};

struct WorkerGrants {
  std::string worker;
  std::string failure{};  // why it has not started; nothing else is known then
  std::vector<Grant> grants{};
  std::chrono::milliseconds start_took{};
  std::optional<std::uint64_t> private_bytes{};
  std::optional<std::uint64_t> shared_bytes{};  // of what was reserved for its replies
};

struct MachineGrants {
  std::vector<WorkerGrants> workers{};
  std::uint64_t reserved_bytes = 0;  // for replies of all of them
  // By how much the machine's commit charge rose while they were started.
  std::optional<std::int64_t> commit_bytes{};
  std::vector<std::pair<std::string, std::string>> code_pages{};
};

// Whether it rose by all that was reserved.
bool counts_reserved(const MachineGrants& grants);

// Nothing if this system has no such restrictions. The commit charge is that of all programs, so
// that workers are started again, a few times, where it rose so much.
[[nodiscard]] std::optional<MachineGrants> probe_grants(const std::filesystem::path& program,
                                                        const StopToken& stop);

// Adds what isn't as it was asked for, and the numbers. The pure part of the check `limits`.
void add_grants(const MachineGrants& grants, CheckReport& report);
}  // namespace winperf::selftest
