// The command lines that the MSI's actions run with the system's rights. The MSI's tables give the
// words, some of which were properties that an administrator set: COUNT|WORD|WORD|..., where COUNT
// is how many words follow.
//
// A value can't become more than its own word: a quotation mark or a control character in it is
// refused, and so is a "|", which makes the number of words another one than the table says. The
// program is named with its whole path. What a word means isn't checked; the program does that.
// Thread rule: any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace winperf {

// Each word in quotes. `action_data`: UTF-8. The error is a sentence that names the value.
[[nodiscard]] std::expected<std::string, std::string> command_line_of(std::string_view action_data);

}  // namespace winperf
