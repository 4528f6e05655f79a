// Paths and UTF-8: names on the command line and in files are UTF-8, also on Windows. Thread rule:
// any thread.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace winperf {

std::filesystem::path path_of(std::string_view utf8);

// UTF-8, for messages; a substitute for a Windows name that is not valid UTF-16.
std::string path_text(const std::filesystem::path& path);

}  // namespace winperf
