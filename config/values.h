// Checks one value of a configuration against its option. The error says what to write instead.
// Thread rule: any thread.
#pragma once

#include <expected>
#include <string>

#include "config/document.h"
#include "config/options.h"
#include "config/text_error.h"

namespace winperf {

// Reads the values of keys about other machines. Thread rule: pure functions.

// A machine's name or address, or a pattern of such names (config/targets.h).
[[nodiscard]] std::expected<std::string, TextError> read_target_host(const Option& option,
                                                                     const Node& node);
// Letters, digits, ., _ and -, up to the option's maximum.
[[nodiscard]] std::expected<OptionValue, TextError> read_word(const Option& option,
                                                              const Node& node);

// The values of keys about metrics with names of their own. Thread rule: pure functions.

// For kMetricName, kLabelName and kFixedLabels; the labels are sorted by name.
[[nodiscard]] std::expected<OptionValue, TextError> read_metric_name(const Option& option,
                                                                     const Node& node);
[[nodiscard]] std::expected<OptionValue, TextError> read_label_name(const Option& option,
                                                                    const Node& node);
[[nodiscard]] std::expected<OptionValue, TextError> read_fixed_labels(const Option& option,
                                                                      const Node& node);

// The error's place is that of the node, or of the entry of a list that is wrong. Not for kSection,
// kListen and kCountersets, which hold other options.
[[nodiscard]] std::expected<OptionValue, TextError> read_value(const Option& option,
                                                               const Node& node);

}  // namespace winperf
