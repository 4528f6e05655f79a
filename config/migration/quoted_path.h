// A path as a word of a command that people paste. Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

namespace winperf::migration {

// In quotes, in cmd.exe and PowerShell alike: a backslash before the last one would make it part of
// the path, so that it goes, or, of a drive such as C:\, becomes two.
inline std::string quoted_path(std::string_view path) {
  constexpr std::string_view kDrive = "C:\\";
  while (path.size() > kDrive.size() && path.ends_with('\\')) path.remove_suffix(1);
  return '"' + std::string(path) + (path.ends_with('\\') ? "\\" : "") + '"';
}

}  // namespace winperf::migration
