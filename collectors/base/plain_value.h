// Whether an external value may become one word of a command line, and how a word is quoted there.
// A value has no quotation mark, which would end the word, and no control character, which no path,
// address or account has. Any other text of any length is accepted. Thread rule: any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace winperf {

// The reason why not, such as "has a quotation mark at character 5". `value`: UTF-8; characters are
// counted from 1.
std::optional<std::string> why_not_plain(std::string_view value);

// The argument as the C runtime reads it from a command line. It is always in quotes, because an
// unquoted path with a blank may start another program.
std::string quoted_argument(std::string_view argument);

}  // namespace winperf
