// The values of keys about metrics with names of their own. Thread rule: pure functions.
#pragma once

#include <expected>

#include "config/document.h"
#include "config/options.h"
#include "config/text_error.h"

namespace winperf {

// For kMetricName, kLabelName and kFixedLabels; the labels are sorted by name.
[[nodiscard]] std::expected<OptionValue, TextError> read_metric_name(const Option& option,
                                                                     const Node& node);
[[nodiscard]] std::expected<OptionValue, TextError> read_label_name(const Option& option,
                                                                    const Node& node);
[[nodiscard]] std::expected<OptionValue, TextError> read_fixed_labels(const Option& option,
                                                                      const Node& node);

}  // namespace winperf
