#include "config/metric_values.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "config/metric_names.h"
#include "config/value_error.h"

namespace winperf {
namespace {

using Result = std::expected<OptionValue, TextError>;
using Problem = std::optional<std::string> (*)(std::string_view);
Result read_identifier(const Option& option, const Node& node, Problem problem_of) {
  if (const auto problem = text_problem(option, node, "a name")) return std::unexpected(*problem);
  if (const auto problem = problem_of(node.text))
    return std::unexpected(TextError{node.offset, *problem});
  return node.text;
}

}  // namespace

Result read_metric_name(const Option& option, const Node& node) {
  return read_identifier(option, node, metric_name_problem);
}

Result read_label_name(const Option& option, const Node& node) {
  return read_identifier(option, node, label_name_problem);
}

Result read_fixed_labels(const Option& option, const Node& node) {
  if (node.kind != NodeKind::kMap)
    return refused(option, node, "an object of labels and their values",
                   "labels: {direction: \"in\"}");
  if (std::cmp_greater(node.children.size(), option.maximum))
    return complaint(option, node,
                     "has " + std::to_string(node.children.size()) + " labels: write at most " +
                         std::to_string(option.maximum));
  FixedLabels labels;
  for (const Node& child : node.children) {
    if (const auto problem = label_name_problem(child.key))
      return std::unexpected(TextError{child.key_offset, *problem});
    if (const auto problem = text_problem(option, child, "text")) return std::unexpected(*problem);
    if (child.text.size() > kMaxNameBytes)
      return complaint(option, child, "has a value that is too long: write at most 1024 bytes");
    labels.push_back({child.key, child.text});
  }
  std::ranges::sort(labels);
  return labels;
}

}  // namespace winperf
