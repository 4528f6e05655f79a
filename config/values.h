// Checks one value of a configuration against its option: what a person may write, and, in the
// error, what to write instead.
#pragma once

#include <expected>
#include <string>

#include "config/document.h"
#include "config/options.h"
#include "config/text_error.h"

namespace winperf {

// The error's place is the node's, or that of the list's entry that is wrong. Not for kSection and
// kCountersets, which hold other options.
std::expected<OptionValue, TextError> read_value(const Option& option, const Node& node);

// What a message calls the thing that was found: 'the text "abc"', 'a list', '12'.
std::string described(const Node& node);

}  // namespace winperf
