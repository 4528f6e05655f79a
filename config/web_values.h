// Checks the values of a web configuration that hold secrets, which no message repeats. Thread
// rule: any thread.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "config/document.h"
#include "config/options.h"
#include "config/text_error.h"

namespace winperf {

// For kPem. What is in the text is not looked at.
[[nodiscard]] std::expected<OptionValue, TextError> read_pem(const Option& option,
                                                             const Node& node);
// "'alice': '$2y$...'", as YAML writes a user of basic_auth_users. Nothing if no client can send
// the name: it has a colon or a control character, or is empty or too long.
std::optional<std::string> user_line(std::string_view name, std::string_view hash);
// For kUsers: sorted by name. Hashes are checked as far as their form goes.
[[nodiscard]] std::expected<OptionValue, TextError> read_users(const Option& option,
                                                               const Node& node);

}  // namespace winperf
