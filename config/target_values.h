// Reads the values of keys about other machines. Thread rule: pure functions.
#pragma once

#include <expected>
#include <string>

#include "config/document.h"
#include "config/options.h"
#include "config/text_error.h"

namespace winperf {

// A machine's name or address, or a pattern of such names (config/targets.h).
[[nodiscard]] std::expected<std::string, TextError> read_target_host(const Option& option,
                                                                     const Node& node);
// Letters, digits, ., _ and -, up to the option's maximum.
[[nodiscard]] std::expected<OptionValue, TextError> read_word(const Option& option,
                                                              const Node& node);

}  // namespace winperf
