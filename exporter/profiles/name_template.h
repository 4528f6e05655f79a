// The small language in which the tables describe the parts of a name: literal text, {label} for a
// part that becomes a label, {} for one that is dropped.
//
// A name is split at the last place that fits, so that a part may have in it what separates it from
// the next one: the machine "a:b" of "a:b:Hv VP 0". Only a part that ends the name may be empty.
// The case of letters doesn't matter. {label:first} ends at the first place instead, and so does
// {label:number}, which has digits only; both come before all other parts. {label:words} writes the
// part as a word of a metric: lower case, with underscores for blanks and full stops. {label:rdp}
// writes the first "RDP-tcp" as "RDP-Tcp". Thread rule: any thread.
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
