#include "collectors/facts/win/ntdll.h"

#include <windows.h>

// After windows.h.
#include <winternl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "collectors/facts/refusals.h"

namespace winperf {

namespace {

constexpr const char* kWhere = "processes";
constexpr std::size_t kFirstBytes = 512 * 1024;
constexpr std::size_t kMostBytes = 64 * 1024 * 1024;
constexpr NTSTATUS kTooShort = static_cast<NTSTATUS>(0xC0000004);  // STATUS_INFO_LENGTH_MISMATCH

}  // namespace

std::expected<std::vector<ProcessEntry>, Error> all_processes() {
  const auto query =
      ntdll_function<decltype(&NtQuerySystemInformation)>("NtQuerySystemInformation");
  if (query == nullptr) return os_failure(ERROR_PROC_NOT_FOUND, kWhere);
  // There may be more of them each time. An entry holds numbers of 64 bits.
  for (std::size_t size = kFirstBytes; size <= kMostBytes; size *= 2) {
    std::vector<std::uint64_t> buffer(size / sizeof(std::uint64_t));
    const auto bytes = std::as_writable_bytes(std::span(buffer));
    ULONG used = 0;
    const NTSTATUS status =
        query(SystemProcessInformation, bytes.data(), static_cast<ULONG>(bytes.size()), &used);
    if (status == kTooShort) continue;
    if (status < 0) return os_failure(code_of_status(status), kWhere);
    return parse_process_list(bytes.first(std::min<std::size_t>(used, bytes.size())),
                              reinterpret_cast<std::uintptr_t>(bytes.data()));
  }
  return std::unexpected(
      Error{.code = ErrorCode::kBufferLimit, .where = kWhere, .limit = kMostBytes});
}

}  // namespace winperf
