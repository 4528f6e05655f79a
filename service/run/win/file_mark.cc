#include "service/run/file_mark.h"

#include <windows.h>

namespace winperf {
namespace {

std::uint64_t joined(DWORD high, DWORD low) { return std::uint64_t{high} << 32U | low; }

}  // namespace

FileMark mark_of(const std::filesystem::path& file) {
  const HANDLE handle = CreateFileW(file.c_str(), FILE_READ_ATTRIBUTES,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return {};
  BY_HANDLE_FILE_INFORMATION facts{};
  const bool is_good = GetFileInformationByHandle(handle, &facts) != 0;
  CloseHandle(handle);
  if (!is_good) return {};
  const FILETIME& written = facts.ftLastWriteTime;
  return {
      .exists = true,
      .written = static_cast<std::int64_t>(joined(written.dwHighDateTime, written.dwLowDateTime)),
      .bytes = joined(facts.nFileSizeHigh, facts.nFileSizeLow)};
}

}  // namespace winperf
