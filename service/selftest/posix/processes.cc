#include "service/selftest/processes.h"

#include <signal.h>
#include <time.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "collectors/base/decimal.h"
#include "collectors/base/posix/proc_folder.h"

namespace winperf::selftest {
namespace {

// The number after a word of /proc/PID/status, such as "PPid:".
std::optional<std::uint64_t> number_in_status(const std::filesystem::path& folder,
                                              const std::string& name) {
  std::ifstream file(folder / "status");
  for (std::string word; file >> word;)
    if (std::uint64_t number = 0; word == name && file >> number) return number;
  return std::nullopt;
}

std::optional<std::uint64_t> switches_in(const std::filesystem::path& folder) {
  std::error_code failed;
  std::uint64_t sum = 0;
  for (std::filesystem::directory_iterator at(folder / "task", failed), end; !failed && at != end;
       at.increment(failed))
    for (const char* const name : {"voluntary_ctxt_switches:", "nonvoluntary_ctxt_switches:"})
      sum += number_in_status(at->path(), name).value_or(0);
  return sum == 0 ? std::nullopt : std::optional(sum);
}

std::optional<double> cpu_of(pid_t id) {
  clockid_t clock{};
  timespec time{};
  if (clock_getcpuclockid(id, &clock) != 0 || clock_gettime(clock, &time) != 0) return std::nullopt;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

std::vector<ProcessFacts> list_processes() {
  std::vector<ProcessFacts> processes;
  std::error_code failed;
  for (std::filesystem::directory_iterator at("/proc", failed), end; !failed && at != end;
       at.increment(failed)) {
    const auto id = whole_decimal<std::uint32_t>(at->path().filename().string());
    const auto parent = id ? number_in_status(at->path(), "PPid:") : std::nullopt;
    if (!parent) continue;
    const std::string folder = at->path().string();
    ProcessFacts process{.id = *id, .parent = static_cast<std::uint32_t>(*parent)};
    process.use.cpu_seconds = cpu_of(static_cast<pid_t>(*id));
    process.use.handles = proc_open_files(folder);
    process.use.threads = proc_threads(folder);
    if (const auto memory = proc_memory(folder))
      process.use.private_bytes = memory->resident - std::min(memory->shared, memory->resident);
    process.switches = switches_in(at->path());
    processes.push_back(process);
  }
  return processes;
}

bool end_process(std::uint32_t id) { return ::kill(static_cast<pid_t>(id), SIGKILL) == 0; }

}  // namespace winperf::selftest
