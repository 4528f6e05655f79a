// Files with secrets: who else may read one, and a new one that nobody else may read. win/ and
// posix/ implement it. Thread rule: any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

// Accounts besides its owner, administrators and those of services: "everyone", "group staff",
// "BUILTIN\Users". The error is the system's text.
[[nodiscard]] std::expected<std::vector<std::string>, std::string> who_else_reads(
    const std::filesystem::path& file);

// From its first moment only its owner can read it, and on Windows administrators and the system.
// There must be no file of this name yet. The error is the system's text.
[[nodiscard]] std::expected<void, std::string> write_private_file(const std::filesystem::path& file,
                                                                  std::string_view text);

}  // namespace winperf
