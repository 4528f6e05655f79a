#include <windows.h>

// After windows.h.
#include <winternl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>

#include "collectors/base/utf8.h"
#include "collectors/base/win/account.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/topics.h"

namespace winperf {

namespace {

constexpr const char* kProcesses = "processes";
constexpr std::size_t kFirstProcessBytes = 512 * 1024;
constexpr std::size_t kMostBytes = 64 * 1024 * 1024;
constexpr NTSTATUS kTooShort = static_cast<NTSTATUS>(0xC0000004);  // STATUS_INFO_LENGTH_MISMATCH

// Windows' code for an NTSTATUS.
DWORD code_of_status(LONG status) {
  const auto convert = ntdll_function<ULONG(WINAPI*)(LONG)>("RtlNtStatusToDosError");
  return convert != nullptr ? convert(status) : static_cast<DWORD>(status);
}

}  // namespace

std::expected<std::vector<ProcessEntry>, Error> all_processes() {
  const auto query =
      ntdll_function<decltype(&NtQuerySystemInformation)>("NtQuerySystemInformation");
  if (query == nullptr) return os_failure(ERROR_PROC_NOT_FOUND, kProcesses);
  // There may be more of them each time. An entry holds numbers of 64 bits.
  for (std::size_t size = kFirstProcessBytes; size <= kMostBytes; size *= 2) {
    std::vector<std::uint64_t> buffer(size / sizeof(std::uint64_t));
    const auto bytes = std::as_writable_bytes(std::span(buffer));
    ULONG used = 0;
    const NTSTATUS status =
        query(SystemProcessInformation, bytes.data(), static_cast<ULONG>(bytes.size()), &used);
    if (status == kTooShort) continue;
    if (status < 0) return os_failure(code_of_status(status), kProcesses);
    return parse_process_list(bytes.first(std::min<std::size_t>(used, bytes.size())),
                              reinterpret_cast<std::uintptr_t>(bytes.data()));
  }
  return std::unexpected(
      Error{.code = ErrorCode::kBufferLimit, .where = kProcesses, .limit = kMostBytes});
}

std::optional<std::string> command_line_in(ReturnedBuffer& answer) {
  const auto* const line = answer.at<UNICODE_STRING>(answer.data());
  if (line == nullptr) return std::nullopt;
  if (line->Length == 0) return std::string();
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(line->Buffer) % alignof(wchar_t) == 0;
  if (!is_aligned || answer.range(line->Buffer, line->Length) == nullptr) return std::nullopt;
  return to_utf8({line->Buffer, line->Length / sizeof(wchar_t)});
}

namespace {

constexpr int kCommandLineInformation = 60;                    // ProcessCommandLineInformation
constexpr auto kNotFound = static_cast<NTSTATUS>(0xC0000225);  // of the system's own processes
// The description of the text, and the text, whose length has 16 bits.
constexpr std::size_t kAnswerBytes = sizeof(UNICODE_STRING) + 64 * 1024;

constexpr std::size_t kMaxCommandBytes = 32 * 1024;  // of UTF-8

// Empty: the process has none. The handle has PROCESS_QUERY_LIMITED_INFORMATION. The error is
// Windows' code; supported since Windows 8.1, not by Wine 8.
std::expected<std::string, DWORD> command_line_of(HANDLE process) {
  const auto query =
      ntdll_function<decltype(&NtQueryInformationProcess)>("NtQueryInformationProcess");
  if (query == nullptr) return std::unexpected(ERROR_PROC_NOT_FOUND);
  ReturnedBuffer answer(kAnswerBytes);
  ULONG used = 0;
  const NTSTATUS status = query(process, static_cast<PROCESSINFOCLASS>(kCommandLineInformation),
                                answer.data(), static_cast<ULONG>(answer.bytes()), &used);
  if (status == kNotFound) return std::string();
  if (status < 0) return std::unexpected(code_of_status(status));
  answer.filled(used);
  auto line = command_line_in(answer);
  if (!line) return std::unexpected(ERROR_INVALID_DATA);
  return *std::move(line);
}

bool is_same(HANDLE process, std::uint64_t created) {
  std::array<FILETIME, 4> times{};
  if (!GetProcessTimes(process, &times[0], &times[1], &times[2], &times[3])) return false;
  return std::bit_cast<std::uint64_t>(times[0]) == created;
}

class Details {
 public:
  // Owner and command line, as far as they are accessible.
  void add(const ProcessEntry& process, FactRow& row) {
    // This right is enough for both, and the most widely granted one.
    const UniqueKernelHandle handle(OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE,
                                                static_cast<DWORD>(process.process_id)));
    // The id of an ended process is invalid, or reused.
    const DWORD code = handle ? ERROR_SUCCESS : GetLastError();
    if (code == ERROR_INVALID_PARAMETER || (handle && !is_same(handle.get(), process.created)))
      return;
    if (!handle) return processes_.add(code);
    auto user = user_of(handle.get());
    if (user.empty())
      owners_.add(GetLastError());
    else
      put_known(row, "owner", account_of(user.data()));
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
  // Each is looked up once.
  const std::string& account_of(PSID sid) {
    const auto [known, is_new] =
        accounts_.try_emplace(std::string(static_cast<const char*>(sid), GetLengthSid(sid)));
    if (is_new) known->second = account_name(sid);
    return known->second;
  }

  std::map<std::string, std::string> accounts_;  // their names, by the bytes of the SID
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
