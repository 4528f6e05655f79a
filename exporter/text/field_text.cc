#include "exporter/text/field_text.h"

#include <algorithm>
#include <charconv>

#include "collectors/base/ascii.h"

namespace winperf {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string_view take_item(std::string_view& rest, char separator) {
  const std::size_t end = std::min(rest.find(separator), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return trimmed(taken);
}

std::string_view parameter_of(std::string_view parameters, std::string_view name) {
  while (!parameters.empty()) {
    std::string_view value = take_item(parameters, ';');
    if (!equal_names(take_item(value, '='), name)) continue;
    value = trimmed(value);
    const bool is_quoted = value.size() > 1 && value.starts_with('"') && value.ends_with('"');
    return is_quoted ? value.substr(1, value.size() - 2) : value;
  }
  return {};
}

double weight_of(std::string_view parameters) {
  const std::string_view text = parameter_of(parameters, "q");
  double weight = 1;
  std::from_chars(text.data(), text.data() + text.size(), weight);
  return weight >= 0 && weight <= 1 ? weight : 1;
}

}  // namespace winperf
