// Whether a file is text that this program can read: UTF-8, of bounded size, with no control
// characters but tabs and line breaks. Everything after this check relies on that. Thread rule: any
// thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "config/text_error.h"

namespace winperf {

inline constexpr std::size_t kMaxConfigBytes = 1024U * 1024U;
inline constexpr const char* kFileTooLarge = "the file is larger than 1 MiB: is it the right file?";

// Without the byte order mark of UTF-8.
std::string_view without_byte_order_mark(std::string_view text);

std::optional<TextError> check_encoding(std::string_view text);

}  // namespace winperf
