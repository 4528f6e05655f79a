#include "exporter/text/page_names.h"

#include <ranges>

#include "exporter/text/exposition.h"

namespace winperf {

void PageNames::add(std::string_view lines) {
  constexpr std::string_view kType = "# TYPE ";
  for (const auto range : std::views::split(lines, '\n')) {
    const std::string_view line(range.begin(), range.end());
    if (line.starts_with(kType)) {
      const std::string_view family = line.substr(kType.size());
      const std::size_t blank = family.find(' ');
      if (blank != family.npos) add_family(family.substr(0, blank), family.substr(blank + 1));
    } else if (!line.empty() && !line.starts_with('#')) {
      names_.emplace(line.substr(0, line.find_first_of(" {")));
    }
  }
}

void PageNames::add_family(std::string_view name, std::string_view type) {
  names_.emplace(name);
  if (type != "counter") return;
  const std::string stem(family_of(name, type));
  names_.insert({stem, stem + "_total", stem + "_created"});
}

bool PageNames::has(std::string_view name) const {
  return name.starts_with("winperf_exporter_") || names_.contains(name);
}

}  // namespace winperf
