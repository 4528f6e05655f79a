#include "service/run/file_watch.h"

#include <windows.h>

#include "collectors/base/win/file_time.h"

namespace winperf {

FileMark mark_of(const std::filesystem::path& file) {
  const HANDLE handle = CreateFileW(file.c_str(), FILE_READ_ATTRIBUTES,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr,
                                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, nullptr);
  if (handle == INVALID_HANDLE_VALUE) return {};
  BY_HANDLE_FILE_INFORMATION facts{};
  const bool is_good = GetFileInformationByHandle(handle, &facts) != 0;
  CloseHandle(handle);
  if (!is_good) return {};
  return {.exists = true,
          .written = time_of(facts.ftLastWriteTime).ticks,
          .bytes = joined(facts.nFileSizeHigh, facts.nFileSizeLow)};
}

}  // namespace winperf
