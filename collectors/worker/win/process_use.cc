#include "collectors/worker/win/process_use.h"

#include <winternl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

namespace winperf::worker {
namespace {

// The part of SYSTEM_PROCESS_INFORMATION that is needed; the SDK's declaration reserves most of it.
struct ProcessEntry {
  ULONG next_offset;
  ULONG threads;
  std::array<std::byte, 72> unused;
  std::uint64_t id;
  std::uint64_t parent_id;
  ULONG handles;
  std::array<std::byte, 84> unused_too;
  std::uint64_t pagefile_bytes;
  std::uint64_t peak_pagefile_bytes;
  std::uint64_t private_bytes;
};
static_assert(offsetof(ProcessEntry, id) == 80 && offsetof(ProcessEntry, handles) == 96);
static_assert(offsetof(ProcessEntry, private_bytes) == 200);

constexpr std::size_t kFirstBytes = 256U << 10;
constexpr std::size_t kMaxBytes = 16U << 20;
constexpr NTSTATUS kTooSmall = static_cast<NTSTATUS>(0xC000'0004);  // STATUS_INFO_LENGTH_MISMATCH

// Empty if the system refuses.
std::vector<std::byte> list_of_processes() {
  using Query = NTSTATUS(NTAPI*)(SYSTEM_INFORMATION_CLASS, void*, ULONG, ULONG*);
  const auto query = reinterpret_cast<Query>(reinterpret_cast<void*>(
      GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "NtQuerySystemInformation")));
  if (query == nullptr) return {};
  for (std::size_t size = kFirstBytes; size <= kMaxBytes; size *= 2) {
    std::vector<std::byte> bytes(size);
    ULONG used = 0;
    const NTSTATUS status =
        query(SystemProcessInformation, bytes.data(), static_cast<ULONG>(size), &used);
    if (status == kTooSmall) continue;
    bytes.resize(status >= 0 && used <= size ? used : 0);
    return bytes;
  }
  return {};
}

// A process has some of everything, so zero is no answer.
std::optional<std::uint64_t> known(std::uint64_t number) {
  return number != 0 ? std::optional(number) : std::nullopt;
}

}  // namespace

ProcessUse process_use(DWORD process) {
  const std::vector<std::byte> bytes = list_of_processes();
  std::size_t at = 0;
  while (bytes.size() - at >= sizeof(ProcessEntry)) {
    ProcessEntry entry;
    std::memcpy(&entry, bytes.data() + at, sizeof entry);
    if (entry.id == process) {
      const std::uint64_t memory =
          entry.private_bytes != 0 ? entry.private_bytes : entry.pagefile_bytes;
      return {.private_bytes = known(memory),
              .handles = known(entry.handles),
              .threads = known(entry.threads)};
    }
    if (entry.next_offset == 0 || entry.next_offset > bytes.size() - at) break;
    at += entry.next_offset;
  }
  return {};
}

}  // namespace winperf::worker
