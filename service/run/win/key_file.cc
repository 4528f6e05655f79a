#include "service/run/key_file.h"

#include <windows.h>
// After windows.h:
#include <aclapi.h>
#include <sddl.h>

#include <memory>
#include <system_error>

#include "collectors/base/system_text.h"
#include "collectors/base/win/account.h"
#include "service/run/win/key_readers.h"

namespace winperf {
namespace {

template <class T>
using Local = std::unique_ptr<T, LocalFreed>;

std::string text_of(DWORD code) {
  return system_text(std::error_code(static_cast<int>(code), std::system_category()));
}

}  // namespace

std::expected<std::vector<std::string>, std::string> who_else_reads(
    const std::filesystem::path& file) {
  PSID owner = nullptr;
  PACL list = nullptr;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  const DWORD failure = GetNamedSecurityInfoW(
      file.c_str(), SE_FILE_OBJECT, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, &owner,
      nullptr, &list, nullptr, &descriptor);
  if (failure != ERROR_SUCCESS) return std::unexpected(text_of(failure));
  const Local<void> owned(descriptor);
  return readers_in(list, owner);
}

std::expected<void, std::string> write_private_file(const std::filesystem::path& file,
                                                    std::string_view text) {
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  // The system, administrators and the owner, and nothing inherited.
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(
          L"D:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;FA;;;OW)", SDDL_REVISION_1, &descriptor, nullptr))
    return std::unexpected(text_of(GetLastError()));
  const Local<void> owned(descriptor);
  SECURITY_ATTRIBUTES attributes{.nLength = sizeof(SECURITY_ATTRIBUTES),
                                 .lpSecurityDescriptor = descriptor,
                                 .bInheritHandle = FALSE};
  const HANDLE handle = CreateFileW(file.c_str(), GENERIC_WRITE, 0, &attributes, CREATE_NEW,
                                    FILE_ATTRIBUTE_NORMAL, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return std::unexpected(text_of(GetLastError()));
  DWORD written = 0;
  const bool is_good =
      WriteFile(handle, text.data(), static_cast<DWORD>(text.size()), &written, nullptr) != 0 &&
      written == text.size();
  const DWORD failure = GetLastError();
  CloseHandle(handle);
  if (is_good) return {};
  DeleteFileW(file.c_str());
  return std::unexpected(text_of(failure));
}

}  // namespace winperf
