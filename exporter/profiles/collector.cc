#include "exporter/profiles/collector.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <string>
#include <unordered_map>
#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/profiles/profile.h"

namespace winperf {

std::vector<std::string_view> label_names(const FactMetric& metric) {
  std::vector<std::string_view> names;
  for (const FactLabel& label : metric.labels)
    if (!label.name.empty()) names.push_back(label.name);
  for (const auto part : std::views::split(metric.state_label, ' '))
    if (!part.empty()) names.emplace_back(part.begin(), part.end());
  return names;
}

bool is_shown(FactTopic topic, std::span<const MetricProfile> profiles) {
  return std::ranges::any_of(profiles, [topic](MetricProfile profile) {
    return std::ranges::any_of(fact_metrics(profile),
                               [topic](const FactMetric& metric) { return metric.topic == topic; });
  });
}

namespace {

struct Reader {
  const ProfileBlock* block = nullptr;
  const ProfileObject* object = nullptr;
};

// Most names have no parts, so that a table finds them without a search.
struct Readers {
  std::unordered_multimap<std::string, Reader> of_name;  // in lower case
  std::vector<Reader> of_patterns;
};

Readers all_readers() {
  Readers readers;
  for (const ProfileBlock& block : profile_blocks(MetricProfile::kWindowsExporter))
    for (const ProfileObject& object : block.objects) {
      if (object.name.contains('{'))
        readers.of_patterns.push_back({&block, &object});
      else
        readers.of_name.emplace(ascii_lower(object.name), Reader{&block, &object});
    }
  return readers;
}

}  // namespace

std::vector<ReadBy> collectors_of(std::string_view object) {
  static const Readers readers = all_readers();
  std::vector<ReadBy> found;
  const auto add = [&](const Reader& reader) {
    auto labels = match_name(reader.object->name, object);
    if (!labels) return;
    std::ranges::move(parse_labels(reader.object->labels), std::back_inserter(*labels));
    ReadBy read{reader.block->collector, reader.block->part, *std::move(labels)};
    if (std::ranges::find(found, read) == found.end()) found.push_back(std::move(read));
  };
  const auto [begin, end] = readers.of_name.equal_range(ascii_lower(object));
  for (auto reader = begin; reader != end; ++reader) add(reader->second);
  for (const Reader& reader : readers.of_patterns) add(reader);
  return found;
}

}  // namespace winperf
