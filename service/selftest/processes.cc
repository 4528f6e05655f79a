#include "service/selftest/processes.h"

#include <algorithm>
#include <cstring>

namespace winperf::selftest {
namespace {

// As 64-bit Windows has them.
struct ListedProcess {
  std::uint32_t next_offset;
  std::uint32_t threads;
  std::uint64_t unused[4];
  std::uint64_t user_100ns;
  std::uint64_t kernel_100ns;
  std::uint64_t name[2];
  std::uint64_t priority;
  std::uint64_t id;
  std::uint64_t parent;
  std::uint32_t handles;
  std::uint32_t session;
  std::uint64_t unused_too[12];
  std::uint64_t private_bytes;
  std::uint64_t transfers[6];
};
static_assert(offsetof(ListedProcess, user_100ns) == 40 && offsetof(ListedProcess, id) == 80);
static_assert(offsetof(ListedProcess, handles) == 96);
static_assert(offsetof(ListedProcess, private_bytes) == 200 && sizeof(ListedProcess) == 256);

struct ListedThread {
  std::uint64_t times[3];
  std::uint32_t wait_time;
  std::uint32_t padding;
  std::uint64_t start;
  std::uint64_t ids[2];
  std::uint32_t priorities[2];
  std::uint32_t switches;
  std::uint32_t states[3];
};
static_assert(offsetof(ListedThread, switches) == 64 && sizeof(ListedThread) == 80);

template <class Struct>
std::optional<Struct> struct_at(std::span<const std::byte> bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Struct)) return std::nullopt;
  Struct copy;
  std::memcpy(&copy, bytes.data() + at, sizeof copy);
  return copy;
}

std::optional<std::uint64_t> unless_zero(std::uint64_t number) {
  return number == 0 ? std::nullopt : std::optional(number);
}

std::optional<std::uint64_t> switches_of(std::span<const std::byte> threads, std::uint32_t count) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto thread = struct_at<ListedThread>(threads, std::size_t{i} * sizeof(ListedThread));
    if (!thread) return std::nullopt;
    sum += thread->switches;
  }
  return unless_zero(sum);
}

}  // namespace

std::vector<ProcessFacts> parse_processes(std::span<const std::byte> list) {
  std::vector<ProcessFacts> processes;
  for (std::span<const std::byte> rest = list; true;) {
    const auto listed = struct_at<ListedProcess>(rest, 0);
    if (!listed) return processes;
    ProcessFacts& process =
        processes.emplace_back(ProcessFacts{.id = static_cast<std::uint32_t>(listed->id),
                                            .parent = static_cast<std::uint32_t>(listed->parent)});
    constexpr double kTicksOfSecond = 1e7;
    process.use.cpu_seconds =
        static_cast<double>(listed->user_100ns + listed->kernel_100ns) / kTicksOfSecond;
    process.use.private_bytes = unless_zero(listed->private_bytes);
    process.use.handles = unless_zero(listed->handles);
    process.use.threads = unless_zero(listed->threads);
    process.switches = switches_of(rest.subspan(sizeof(ListedProcess)), listed->threads);
    if (listed->next_offset < sizeof(ListedProcess) || listed->next_offset > rest.size())
      return processes;
    rest = rest.subspan(listed->next_offset);
  }
}

std::vector<ProcessFacts> children_of(std::uint32_t parent) {
  std::vector<ProcessFacts> children = list_processes();
  std::erase_if(children, [&](const ProcessFacts& process) { return process.parent != parent; });
  std::ranges::sort(children, {}, &ProcessFacts::id);
  return children;
}

std::optional<ProcessFacts> facts_of(std::uint32_t id) {
  for (const ProcessFacts& process : list_processes())
    if (process.id == id) return process;
  return std::nullopt;
}

}  // namespace winperf::selftest
