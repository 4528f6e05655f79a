#include "service/commands/new_file.h"

#include <windows.h>

#include <system_error>

#include "collectors/base/system_text.h"

namespace winperf {

namespace fs = std::filesystem;

// Source: Learn, ReplaceFileW: the new file gets the old one's access rights, attributes and
// streams.
std::optional<std::string> take_place(const fs::path& next, const fs::path& file,
                                      const fs::path& backup) {
  if (ReplaceFileW(file.c_str(), next.c_str(), backup.c_str(), 0, nullptr, nullptr))
    return std::nullopt;
  const DWORD code = GetLastError();
  // It may have failed halfway, after the old file was renamed.
  if (code == ERROR_UNABLE_TO_MOVE_REPLACEMENT_2)
    MoveFileExW(backup.c_str(), file.c_str(), MOVEFILE_WRITE_THROUGH);
  return system_text(std::error_code(static_cast<int>(code), std::system_category()));
}

bool is_link(const fs::path& file) {
  const DWORD attributes = GetFileAttributesW(file.c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0;
}

}  // namespace winperf
