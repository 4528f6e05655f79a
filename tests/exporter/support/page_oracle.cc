#include "tests/exporter/support/page_oracle.h"

#include <algorithm>

#include "collectors/base/ascii.h"

namespace winperf::testing {
namespace {

bool admits(const PageFilter& filter, const CountersetState& state) {
  if (filter.countersets.empty()) return filter.topics.empty();
  return std::ranges::any_of(filter.countersets, [&](const std::string& name) {
    return equal_names(name, state.name) ||
           (state.sample != nullptr && equal_names(name, state.sample->schema->name));
  });
}

bool admits_name(const PageFilter& filter, std::string_view name) {
  return filter.names.empty() || std::ranges::find(filter.names, name) != filter.names.end();
}

// Of names without anything that is escaped.
bool admits_line(const PageFilter& filter, const Sample& sample, std::string_view line) {
  if (!admits_name(filter, line.substr(0, line.find_first_of(" {")))) return false;
  constexpr std::string_view kLabel = "counterset=\"";
  const std::size_t label = line.find(kLabel);
  if (label == line.npos || (filter.countersets.empty() && filter.topics.empty())) return true;
  const std::string_view rest = line.substr(label + kLabel.size());
  const std::string_view name = rest.substr(0, rest.find('"'));
  return std::ranges::any_of(sample.countersets, [&](const CountersetState& state) {
    return state.name == name && admits(filter, state);
  });
}

}  // namespace

std::string cut_by_parts(std::string_view page, std::span<const PagePart> parts,
                         const Sample& sample, const PageFilter& filter) {
  std::string out;
  const PagePart* last = nullptr;
  for (const PagePart& part : parts) {
    if (!admits(filter, sample.countersets[part.counterset]) ||
        !admits_name(filter, page.substr(part.begin, part.name_size)))
      continue;
    if (last == nullptr || last->header != part.header)
      out += page.substr(part.header, part.header_size);
    out += page.substr(part.begin, part.end - part.begin);
    last = &part;
  }
  return out;
}

std::string cut_by_lines(std::string_view own, const Sample& sample, const PageFilter& filter) {
  std::string out;
  std::string comments;  // in front of series of which none was admitted yet
  bool after_series = false;
  while (!own.empty()) {
    const std::string_view line = own.substr(0, own.find('\n') + 1);
    own.remove_prefix(line.size());
    if (line == "# EOF\n") {
      out += line;
    } else if (line.starts_with('#')) {
      if (after_series) comments.clear();
      comments += line;
    } else if (admits_line(filter, sample, line)) {
      out += comments;
      out += line;
      comments.clear();
    }
    after_series = !line.starts_with('#');
  }
  return out;
}

}  // namespace winperf::testing
