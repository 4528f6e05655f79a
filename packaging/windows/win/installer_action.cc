// The MSI's custom actions. They run a program without a window and copy its output to the
// installer's log. Windows Installer's own action for this shows a console window and ignores the
// output, so that an administrator learns of a failure but not of its reason.
//
// The actions are deferred and run as the system. Their input is CustomActionData:
//   RunChecked   a command (packaging/windows/action_command.h); if the program fails, the
//                installation fails with the program's output as message
//   RunAnyway    a command; if the program fails, this is written to the log, and the installation
//                continues
//   CheckFolder  the folder of the program; if others than administrators may change what is in it,
//                the installation fails before anything is put there
// The message is row 25001 of the MSI's table Error. This library has no immediate action: it would
// run with the rights of the account that started the installation, and could change the properties
// that the elevated part uses. Source: Learn, "Obtaining Context Information for Deferred Execution
// Custom Actions" and "MsiProcessMessage".

#include <windows.h>
// After windows.h:
#include <msi.h>
#include <msiquery.h>

#include <string>
#include <string_view>
#include <vector>

#include "collectors/base/path_text.h"
#include "collectors/base/win/path_rights.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "packaging/windows/action_command.h"

namespace {

constexpr DWORD kMaxDataChars = 32'767;  // limit of CreateProcess
constexpr std::size_t kMaxOutputBytes = 256 * 1024;
constexpr int kErrorRow = 25001;

struct Ended {
  DWORD code = 0;
  std::string output;  // standard output and error
};

std::wstring action_data(MSIHANDLE install) {
  std::wstring text(kMaxDataChars, L'\0');
  DWORD length = kMaxDataChars;
  if (MsiGetPropertyW(install, L"CustomActionData", text.data(), &length) != ERROR_SUCCESS)
    length = 0;
  text.resize(length);
  return text;
}

// Converts output, which is UTF-8 from our program, and in the OEM code page from Windows' tools.
std::wstring output_to_wide(std::string_view text) {
  for (const UINT code_page : {static_cast<UINT>(CP_UTF8), GetOEMCP()}) {
    const DWORD flags = code_page == CP_UTF8 ? MB_ERR_INVALID_CHARS : 0;
    const int bytes = static_cast<int>(text.size());
    const int length = MultiByteToWideChar(code_page, flags, text.data(), bytes, nullptr, 0);
    std::wstring wide(static_cast<std::size_t>(length), L'\0');
    if (length > 0 &&
        MultiByteToWideChar(code_page, flags, text.data(), bytes, wide.data(), length) > 0)
      return wide;
  }
  return {};
}

void log(MSIHANDLE install, const std::wstring& line) {
  PMSIHANDLE record = MsiCreateRecord(1);
  // The line is a separate field, because brackets in the format string would name properties.
  MsiRecordSetStringW(record, 0, L"winperf_exporter setup: [1]");
  MsiRecordSetStringW(record, 1, line.c_str());
  MsiProcessMessage(install, INSTALLMESSAGE_INFO, record);
}

void show_error(MSIHANDLE install, const std::wstring& text) {
  PMSIHANDLE record = MsiCreateRecord(2);
  MsiRecordSetInteger(record, 1, kErrorRow);
  MsiRecordSetStringW(record, 2, text.c_str());
  MsiProcessMessage(install, INSTALLMESSAGE_ERROR, record);
}

// Reads until every writer has closed the pipe. Output above the limit is discarded.
std::string read_all(HANDLE pipe) {
  std::string output;
  char buffer[4096];
  DWORD count = 0;
  while (ReadFile(pipe, buffer, sizeof(buffer), &count, nullptr) && count > 0) {
    if (output.size() < kMaxOutputBytes) output.append(buffer, count);
  }
  return output;
}

// Returns a Windows error code, or 0.
DWORD run(std::wstring command, Ended& ended) {
  SECURITY_ATTRIBUTES inherited{sizeof(SECURITY_ATTRIBUTES), nullptr, TRUE};
  winperf::UniqueKernelHandle ours;
  winperf::UniqueKernelHandle theirs;
  if (!CreatePipe(ours.put(), theirs.put(), &inherited, 0)) return GetLastError();
  SetHandleInformation(ours.get(), HANDLE_FLAG_INHERIT, 0);
  STARTUPINFOW startup{};
  startup.cb = sizeof(startup);
  startup.dwFlags = STARTF_USESTDHANDLES;
  startup.hStdOutput = theirs.get();
  startup.hStdError = theirs.get();
  PROCESS_INFORMATION started{};
  if (!CreateProcessW(nullptr, command.data(), nullptr, nullptr, TRUE, CREATE_NO_WINDOW, nullptr,
                      nullptr, &startup, &started))
    return GetLastError();
  const winperf::UniqueKernelHandle process(started.hProcess);
  const winperf::UniqueKernelHandle thread(started.hThread);
  theirs.reset();
  ended.output = read_all(ours.get());
  WaitForSingleObject(process.get(), INFINITE);
  GetExitCodeProcess(process.get(), &ended.code);
  return ERROR_SUCCESS;
}

std::vector<std::wstring> lines_of(std::string_view text) {
  std::vector<std::wstring> lines;
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\r\n");
    if (end > 0) lines.push_back(output_to_wide(text.substr(0, end)));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

// Returns the message of a failure, or an empty string.
std::wstring run_logged(MSIHANDLE install) {
  const auto built = winperf::command_line_of(winperf::to_utf8(action_data(install)));
  if (!built) return L"the command was not run: " + winperf::to_wide(built.error());
  const std::wstring command = winperf::to_wide(*built);
  log(install, L"running " + command);
  Ended ended;
  if (const DWORD error = run(command, ended); error != ERROR_SUCCESS)
    return command + L" cannot be started (error " + std::to_wstring(error) + L")";
  std::wstring output;
  for (const std::wstring& line : lines_of(ended.output)) {
    log(install, line);
    output += (output.empty() ? L"" : L"\n") + line;
  }
  if (ended.code == 0) return {};
  return output.empty() ? command + L" failed with exit code " + std::to_wstring(ended.code)
                        : output;
}

}  // namespace

// No exception may reach Windows Installer.
extern "C" __declspec(dllexport) UINT __stdcall RunChecked(MSIHANDLE install) try {
  const std::wstring failure = run_logged(install);
  if (failure.empty()) return ERROR_SUCCESS;
  show_error(install, failure);
  return ERROR_INSTALL_FAILURE;
} catch (...) {
  return ERROR_INSTALL_FAILURE;
}

extern "C" __declspec(dllexport) UINT __stdcall CheckFolder(MSIHANDLE install) try {
  const std::string folder = winperf::to_utf8(action_data(install));
  log(install, L"checking who may change " + winperf::to_wide(folder));
  const auto why =
      winperf::why_others_may_change(winperf::path_of(folder), winperf::PathRole::kFolder);
  if (!why) return ERROR_SUCCESS;
  show_error(install,
             winperf::to_wide(*why + ", so they could replace the service's program in " + folder +
                              "; choose a folder in which only administrators can write"));
  return ERROR_INSTALL_FAILURE;
} catch (...) {
  return ERROR_INSTALL_FAILURE;
}

extern "C" __declspec(dllexport) UINT __stdcall RunAnyway(MSIHANDLE install) try {
  if (!run_logged(install).empty()) log(install, L"the command failed; the installation continues");
  return ERROR_SUCCESS;
} catch (...) {
  return ERROR_SUCCESS;
}
