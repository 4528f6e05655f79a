// The version that a file's resources state. Thread rule: any thread.
#pragma once

#include <optional>
#include <string>

namespace winperf {

[[nodiscard]] std::optional<std::string> file_version(const std::wstring& path);

}  // namespace winperf
