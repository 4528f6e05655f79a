#include "exporter/textfile/family_clash.h"

namespace winperf {

std::pair<const std::string*, LineKind> composed_owner(const TextfileFamilies& families,
                                                       std::string_view name) {
  for (const LineKind kind : kLineKinds) {
    const std::string_view suffix = suffix_of(kind);
    if (suffix.empty() || !name.ends_with(suffix)) continue;
    const auto owner = families.find(name.substr(0, name.size() - suffix.size()));
    if (owner != families.end() && is_composed(owner->second.type) &&
        has_lines(owner->second.type, kind))
      return {&owner->first, kind};
  }
  return {nullptr, LineKind::kPlain};
}

const std::string* clashing_family(const TextfileFamilies& families, std::string_view name,
                                   TextfileType type) {
  if (const auto* const owner = composed_owner(families, name).first) return owner;
  if (!is_composed(type)) return nullptr;
  for (const LineKind kind : kLineKinds) {
    const std::string_view suffix = suffix_of(kind);
    if (suffix.empty() || !has_lines(type, kind)) continue;
    const auto other = families.find(std::string(name).append(suffix));
    if (other != families.end()) return &other->first;
  }
  return nullptr;
}

}  // namespace winperf
