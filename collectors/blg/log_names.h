// Names as a log has them. An instance is one text, "parent/name#number", as in counter paths; the
// number tells instances with the same parent and name apart, and the first one has none. A name
// that has a slash of its own, or ends like a number, is taken for such a text: a log doesn't tell.
// Thread rule: values.
// Source: Learn, "Specifying a Counter Path"; docs/blg.md, "Instances".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace winperf::blg {

struct InstanceName {
  std::string parent;  // empty where there is none
  std::string name;
  std::uint32_t number = 0;
  bool operator==(const InstanceName&) const = default;
};

// `parent` where it is known, which leaves the slashes of the text to the name.
InstanceName parse_instance_name(std::string_view text, std::string_view parent = {});

// "name#number"
std::string numbered_name(const InstanceName& instance);

// "\\\\HOST" without its backslashes.
std::string machine_name(std::string_view text);

// Equal for instances that are the same but for the case of ASCII letters.
std::string key_of(const InstanceName& instance);

// With ASCII letters in lower case.
std::string lower_case(std::string_view text);

}  // namespace winperf::blg
