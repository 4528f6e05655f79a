#include "exporter/text/counterset_index.h"

#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/mapping/installation.h"

namespace winperf {

CountersetIndex::CountersetIndex(std::shared_ptr<const Sample> sample)
    : sample_(std::move(sample)) {
  const auto& countersets = sample_->countersets;
  for (std::size_t place = 0; place < countersets.size(); ++place) {
    const auto add = [&](std::string_view name) {
      std::vector<std::size_t>& places = places_[ascii_lower(name)];
      if (places.empty() || places.back() != place) places.push_back(place);
    };
    add(countersets[place].name);
    if (countersets[place].sample == nullptr) continue;
    const std::string& object = countersets[place].sample->schema->name;
    add(object);
    add(installation_of(object).object);
  }
}

std::span<const std::size_t> CountersetIndex::called(std::string_view name) const {
  const auto found = places_.find(ascii_lower(name));
  if (found == places_.end()) return {};
  return found->second;
}

}  // namespace winperf
