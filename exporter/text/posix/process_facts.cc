#include "exporter/text/exporter_registry.h"

#include <sys/resource.h>
#include <unistd.h>

#include "collectors/base/posix/proc_folder.h"

namespace winperf {
namespace {

constexpr char kSelf[] = "/proc/self";

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

ProcessFacts process_facts() {
  ProcessFacts facts;
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0)
    facts.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  if (const auto memory = proc_memory(kSelf)) {
    facts.committed_bytes = static_cast<double>(memory->all);
    facts.resident_bytes = static_cast<double>(memory->resident);
  }
  if (const auto files = proc_open_files(kSelf)) facts.open_handles = static_cast<double>(*files);
  return facts;
}

std::optional<std::uint64_t> machine_memory() {
  const auto pages = sysconf(_SC_PHYS_PAGES);
  const auto bytes = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || bytes <= 0) return std::nullopt;
  return static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(bytes);
}

}  // namespace winperf
