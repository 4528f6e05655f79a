#include "service/selftest/processes.h"

#include <windows.h>
// After windows.h.
#include <winternl.h>

#include <algorithm>

#include "collectors/base/win/unique_handle.h"

namespace winperf::selftest {

std::vector<ProcessFacts> list_processes() {
  constexpr std::size_t kFirst = std::size_t{512} << 10;
  constexpr std::size_t kMost = std::size_t{64} << 20;
  constexpr auto kTooShort = static_cast<NTSTATUS>(0xC0000004);  // STATUS_INFO_LENGTH_MISMATCH
  const auto query =
      ntdll_function<decltype(&NtQuerySystemInformation)>("NtQuerySystemInformation");
  if (query == nullptr) return {};
  for (std::size_t size = kFirst; size <= kMost; size *= 2) {
    std::vector<std::byte> bytes(size);
    ULONG used = 0;
    const NTSTATUS status =
        query(SystemProcessInformation, bytes.data(), static_cast<ULONG>(size), &used);
    if (status == kTooShort) continue;
    if (status < 0) return {};
    return parse_processes(std::span(bytes).first(std::min<std::size_t>(used, size)));
  }
  return {};
}

bool end_process(std::uint32_t id) {
  const UniqueKernelHandle process(OpenProcess(PROCESS_TERMINATE, FALSE, id));
  return process && TerminateProcess(process.get(), 1);
}

}  // namespace winperf::selftest
