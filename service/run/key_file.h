// Files with secrets: checks which other accounts may read one, and creates private ones. win/ and
// posix/ implement it. Thread rule: any thread.
#pragma once

#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

// Accounts other than its owner, administrators and those of services: "everyone", "group staff",
// "BUILTIN\Users". The error is the system's text.
[[nodiscard]] std::expected<std::vector<std::string>, std::string> who_else_reads(
    const std::filesystem::path& file);

// Readable from creation only by its owner, and on Windows by administrators and the system. There
// must be no file of this name yet. The error is the system's text.
[[nodiscard]] std::expected<void, std::string> write_private_file(const std::filesystem::path& file,
                                                                  std::string_view text);

}  // namespace winperf
