#include <windows.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/label_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/account_names.h"
#include "collectors/facts/win/all_processes.h"
#include "collectors/facts/win/command_line.h"
#include "collectors/facts/win/topics.h"
#include "collectors/facts/windows_times.h"

namespace winperf {
namespace {

constexpr std::size_t kMaxCommandBytes = 32 * 1024;  // of UTF-8

bool is_same(HANDLE process, std::uint64_t created) {
  std::array<FILETIME, 4> times{};
  if (!GetProcessTimes(process, &times[0], &times[1], &times[2], &times[3])) return false;
  return std::bit_cast<std::uint64_t>(times[0]) == created;
}

class Details {
 public:
  // Owner and command line, as far as this process may know them.
  void add(const ProcessEntry& process, FactRow& row) {
    // The right is enough for both, and more processes grant it than any other.
    const UniqueKernelHandle handle(OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE,
                                                static_cast<DWORD>(process.process_id)));
    // One that has ended has an invalid id, or its id belongs to another one.
    const DWORD code = handle ? ERROR_SUCCESS : GetLastError();
    if (code == ERROR_INVALID_PARAMETER || (handle && !is_same(handle.get(), process.created)))
      return;
    if (!handle) return processes_.add(code);
    if (!add_owner(handle.get(), row)) owners_.add(GetLastError());
    if (const auto line = command_line_of(handle.get()))
      put_known(row, "command_line", clipped(*line, kMaxCommandBytes));
    else
      refused_lines_.add(line.error());
  }

  void report(FactTable& table) const {
    processes_.report(table);
    owners_.report(table);
    refused_lines_.report(table);
  }

 private:
  bool add_owner(HANDLE process, FactRow& row) {
    UniqueKernelHandle token;
    if (!OpenProcessToken(process, TOKEN_QUERY, token.put())) return false;
    alignas(TOKEN_USER) std::array<std::byte, sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE> user{};
    DWORD size = 0;
    if (!GetTokenInformation(token.get(), TokenUser, user.data(), static_cast<DWORD>(user.size()),
                             &size))
      return false;
    const PSID sid = reinterpret_cast<const TOKEN_USER*>(user.data())->User.Sid;
    if (IsValidSid(sid)) put_known(row, "owner", accounts_.of(sid));
    return true;
  }

  AccountNames accounts_;
  Refusals processes_{"owners and command lines of processes"};
  Refusals owners_{"owners of processes"};
  Refusals refused_lines_{"command lines of processes"};
};

std::string name_of(const ProcessEntry& process) {
  if (process.process_id == 0) return "Idle";  // it has no program, and Windows no name for it
  return std::string(
      process_label(to_utf8(std::wstring(process.file_name.begin(), process.file_name.end()))));
}

}  // namespace

FactAnswer read_processes() {
  const auto processes = all_processes();
  if (!processes) return std::unexpected(processes.error());
  FactTable table;
  Details details;
  for (const ProcessEntry& process : *processes) {
    if (table.rows.size() == kMaxFactRows) break;
    FactRow row;
    put_known(row, "process", name_of(process));
    row.number("process_id", static_cast<double>(process.process_id));
    row.number("creating_process_id", static_cast<double>(process.parent_id));
    row.number("session_id", process.session_id);
    put_known(row, "started", unix_seconds(process.created));
    if (process.process_id != 0) details.add(process, row);
    table.rows.push_back(std::move(row));
  }
  details.report(table);
  return table;
}

}  // namespace winperf
