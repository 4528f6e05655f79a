#include "tests/providers/sysperf/machine.h"

#include <psapi.h>

#include <cstring>
#include <string_view>

#include "tests/providers/sysperf/nt_structures.h"

namespace sysperf {
namespace {

constexpr NTSTATUS kInfoLengthMismatch = static_cast<NTSTATUS>(0xC0000004);
constexpr ULONG kFirstListBytes = 256u << 10;
constexpr ULONG kLastListBytes = 64u << 20;

// Reads an information class of unknown size. The size that a call reports as necessary may be too
// small for the next call, so the buffer grows by a factor.
std::expected<std::vector<std::byte>, DWORD> query_list(SYSTEM_INFORMATION_CLASS information) {
  for (ULONG room = kFirstListBytes; room <= kLastListBytes; room *= 4) {
    std::vector<std::byte> bytes(room);
    ULONG used = 0;
    const NTSTATUS status = NtQuerySystemInformation(information, bytes.data(), room, &used);
    if (status == kInfoLengthMismatch) continue;
    if (status < 0) return std::unexpected(RtlNtStatusToDosError(status));
    if (used > room) return std::unexpected(DWORD{ERROR_INVALID_DATA});
    bytes.resize(used);
    return bytes;
  }
  return std::unexpected(DWORD{ERROR_INSUFFICIENT_BUFFER});
}

// Doesn't use SystemTimeOfDayInformation, because its boot time in Wine is wineserver's start.
LONGLONG boot_time() {
  constexpr LONGLONG kPerMillisecond = 10'000;
  return now_100ns() - static_cast<LONGLONG>(GetTickCount64()) * kPerMillisecond;
}

DWORD process_id(HANDLE id) { return static_cast<DWORD>(reinterpret_cast<ULONG_PTR>(id)); }

std::wstring process_name(const ProcessEntry& entry) {
  constexpr std::wstring_view kSuffix = L".exe";
  std::wstring name;
  if (entry.name.Buffer != nullptr) {
    name.assign(entry.name.Buffer, entry.name.Length / sizeof(wchar_t));
  }
  const size_t stem = name.size() < kSuffix.size() ? 0 : name.size() - kSuffix.size();
  if (stem > 0 && _wcsicmp(name.c_str() + stem, kSuffix.data()) == 0) name.resize(stem);
  if (name.empty()) name = process_id(entry.id) == 0 ? L"Idle" : L"System";
  return name;
}

ProcessNumbers process_numbers(const ProcessEntry& entry) {
  return {.name = process_name(entry),
          .id = process_id(entry.id),
          .parent_id = process_id(entry.parent_id),
          .threads = entry.threads,
          .handles = entry.handles,
          .started = entry.created,
          .user = entry.user,
          .privileged = entry.kernel,
          .virtual_bytes = entry.virtual_bytes,
          .virtual_bytes_peak = entry.virtual_bytes_peak,
          .working_set = entry.working_set,
          .working_set_peak = entry.working_set_peak,
          .committed = entry.page_file_bytes};
}

std::expected<ProcessNumbers, DWORD> idle_process() {
  const auto cpus = processors();
  if (!cpus) return std::unexpected(cpus.error());
  ProcessNumbers idle{};
  idle.name = L"Idle";
  idle.threads = static_cast<DWORD>(cpus->size());
  idle.started = boot_time();
  for (const ProcessorNumbers& cpu : *cpus) idle.privileged += cpu.idle;
  return idle;
}

}  // namespace

LONGLONG now_100ns() {
  FILETIME now{};
  GetSystemTimePreciseAsFileTime(&now);
  return static_cast<LONGLONG>(ULONGLONG{now.dwHighDateTime} << 32 | now.dwLowDateTime);
}

std::expected<SystemNumbers, DWORD> system_numbers() {
  PERFORMANCE_INFORMATION info{};
  if (!GetPerformanceInfo(&info, sizeof info)) return std::unexpected(GetLastError());
  return SystemNumbers{boot_time(), info.ProcessCount, info.ThreadCount};
}

std::expected<MemoryNumbers, DWORD> memory_numbers() {
  PERFORMANCE_INFORMATION info{};
  if (!GetPerformanceInfo(&info, sizeof info)) return std::unexpected(GetLastError());
  if (info.PageSize == 0) return std::unexpected(DWORD{ERROR_INVALID_DATA});
  const ULONGLONG page = info.PageSize;
  return MemoryNumbers{info.PhysicalAvailable * page, info.CommitTotal * page,
                       info.CommitLimit * page, page};
}

std::expected<std::vector<ProcessorNumbers>, DWORD> processors() {
  const auto bytes = query_list(SystemProcessorPerformanceInformation);
  if (!bytes) return std::unexpected(bytes.error());
  std::vector<ProcessorNumbers> cpus(bytes->size() / sizeof(ProcessorTimes));
  for (size_t i = 0; i < cpus.size(); ++i) {
    ProcessorTimes times;
    std::memcpy(&times, bytes->data() + i * sizeof times, sizeof times);
    cpus[i] = {times.idle, times.user, times.kernel - times.idle};
  }
  return cpus;
}

std::expected<std::vector<ProcessNumbers>, DWORD> processes() {
  const auto bytes = query_list(SystemProcessInformation);
  if (!bytes) return std::unexpected(bytes.error());
  std::vector<ProcessNumbers> list;
  bool has_idle = false;
  size_t at = 0;
  while (bytes->size() - at >= sizeof(ProcessEntry)) {
    ProcessEntry entry;
    std::memcpy(&entry, bytes->data() + at, sizeof entry);
    list.push_back(process_numbers(entry));
    has_idle = has_idle || list.back().id == 0;
    if (entry.next_offset == 0 || entry.next_offset > bytes->size() - at) break;
    at += entry.next_offset;
  }
  if (!has_idle) {
    auto idle = idle_process();
    if (!idle) return std::unexpected(idle.error());
    list.insert(list.begin(), *std::move(idle));
  }
  return list;
}

}  // namespace sysperf
