#include "exporter/http/entity_tag.h"

#include "exporter/text/field_text.h"

namespace winperf {
namespace {

std::string_view without_weakness(std::string_view tag) {
  if (tag.starts_with("W/")) tag.remove_prefix(2);
  return tag;
}

}  // namespace

bool has_entity_tag(std::string_view if_none_match, std::string_view tag) {
  std::string_view rest = trimmed(if_none_match);
  if (rest == "*") return true;
  while (true) {
    while (rest.starts_with(',')) rest = trimmed(rest.substr(1));
    rest = without_weakness(rest);
    // A tag may have commas in it.
    const std::size_t end = rest.starts_with('"') ? rest.find('"', 1) : std::string_view::npos;
    if (end == std::string_view::npos) return false;
    if (rest.substr(0, end + 1) == without_weakness(tag)) return true;
    rest = trimmed(rest.substr(end + 1));
    if (!rest.starts_with(',')) return false;
  }
}

}  // namespace winperf
