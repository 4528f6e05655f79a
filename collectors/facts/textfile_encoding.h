// What a program on Windows writes as text, as UTF-8: UTF-8 with or without a byte order mark, and
// UTF-16 with one, which is what PowerShell 5's `>` and Out-File write. Everything else is refused,
// with a sentence that says what to do. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>

namespace winperf {

// Valid UTF-8 without a byte order mark.
[[nodiscard]] std::expected<std::string, std::string> textfile_text(
    std::span<const std::byte> bytes);

}  // namespace winperf
