// A path as text for messages. Thread rule: any thread.
#pragma once

#include <filesystem>
#include <string>

namespace winperf {

// UTF-8; a substitute for a Windows name that is not valid UTF-16.
std::string path_text(const std::filesystem::path& path);

}  // namespace winperf
