// The command lines that the MSI's actions run with the system's rights. Their words come from the
// MSI's tables, some from properties that an administrator set: COUNT|WORD|WORD|..., where COUNT is
// the number of words.
//
// A value can't become more than one word: quotation marks and control characters in it are
// refused, and so is "|", because the number of words would differ from COUNT. The program is named
// with its full path. The program checks the words' meaning. Thread rule: any thread.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace winperf {

// Each word in quotes. `action_data`: UTF-8. The error is a sentence that names the value.
[[nodiscard]] std::expected<std::string, std::string> command_line_of(std::string_view action_data);

}  // namespace winperf
