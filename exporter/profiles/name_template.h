// The little language in which the tables say what the parts of a name are: text that stands for
// itself, {label} for a part that becomes a label, {} for one that is dropped.
//
// A part takes as little as possible, the last one what is left, and none is empty. The case of
// letters doesn't matter. {label:words} writes the part as a word of a metric: lower case, with
// underscores for blanks and full stops. {label:rdp} writes the first "RDP-tcp" as "RDP-Tcp".
// Thread rule: any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

struct LabelPart {
  std::string name;
  std::string value;
  bool operator==(const LabelPart&) const = default;
};

// Nothing if the name doesn't fit.
std::optional<std::vector<LabelPart>> match_name(std::string_view pattern, std::string_view name);

// The labels in "mode=\"idle\",origin=\"ldap\"", whose values have no quotes in the tables.
std::vector<LabelPart> parse_labels(std::string_view text);

// The labels that it gives, in its order.
std::vector<std::string> labels_of_template(std::string_view pattern);

}  // namespace winperf
