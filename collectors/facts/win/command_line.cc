#include "collectors/facts/win/command_line.h"

// After windows.h.
#include <winternl.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "collectors/base/win/wide.h"
#include "collectors/facts/win/ntdll.h"

namespace winperf {
namespace {

constexpr int kCommandLineInformation = 60;                    // ProcessCommandLineInformation
constexpr auto kNotFound = static_cast<NTSTATUS>(0xC0000225);  // of the system's own processes
// The description of the text, and the text, whose length has 16 bits.
constexpr std::size_t kAnswerBytes = sizeof(UNICODE_STRING) + 64 * 1024;

}  // namespace

std::optional<std::string> command_line_in(ReturnedBuffer& answer) {
  const auto* const line = answer.at<UNICODE_STRING>(answer.data());
  if (line == nullptr) return std::nullopt;
  if (line->Length == 0) return std::string();
  const bool is_aligned = reinterpret_cast<std::uintptr_t>(line->Buffer) % alignof(wchar_t) == 0;
  if (!is_aligned || answer.range(line->Buffer, line->Length) == nullptr) return std::nullopt;
  return to_utf8({line->Buffer, line->Length / sizeof(wchar_t)});
}

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

}  // namespace winperf
