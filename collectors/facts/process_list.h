// Reads NtQuerySystemInformation's list of all processes: a chain of 64-bit Windows entries, each
// followed by its name. Bytes are not trusted; a name outside of them is left out, any other
// inconsistency is an error of the whole list. Thread rule: any thread. Source:
// SYSTEM_PROCESS_INFORMATION in winternl.h of the SDK, whose reserved fields are those of the
// public symbols of ntdll.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "collectors/model/error.h"

namespace winperf {

struct ProcessEntry {
  std::u16string file_name{};  // empty: the idle process, or unknown
  std::uint64_t created = 0;   // a FILETIME as one number; 0: none
  std::uint64_t process_id = 0;
  std::uint64_t parent_id = 0;
  std::uint32_t session_id = 0;
};

// `address`: of the bytes when the system wrote them.
[[nodiscard]] std::expected<std::vector<ProcessEntry>, Error> parse_process_list(
    std::span<const std::byte> bytes, std::uint64_t address);

}  // namespace winperf
