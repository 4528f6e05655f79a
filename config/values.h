// Checks one value of a configuration against its option. The error says what to write instead.
// Thread rule: any thread.
#pragma once

#include <expected>

#include "config/document.h"
#include "config/options.h"
#include "config/text_error.h"

namespace winperf {

// The error's place is that of the node, or of the entry of a list that is wrong. Not for kSection,
// kListen and kCountersets, which hold other options.
[[nodiscard]] std::expected<OptionValue, TextError> read_value(const Option& option,
                                                               const Node& node);

}  // namespace winperf
