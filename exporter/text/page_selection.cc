#include "exporter/text/page_selection.h"

#include <algorithm>
#include <utility>

#include "collectors/base/ascii.h"
#include "exporter/mapping/name_table.h"

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

PageSelection::PageSelection(const PageFilter& filter, const CountersetIndex* index)
    : is_partial_(filter.is_of_parts() || filter.has_exceptions()),
      admits_others_(!filter.is_of_parts()),
      index_(index),
      names_(filter.names.begin(), filter.names.end()) {
  if (admits_others_) topics_.set();
  for (const FactTopic topic : filter.topics) topics_.set(static_cast<std::size_t>(topic));
  for (const FactTopic topic : filter.without_topics)
    topics_.reset(static_cast<std::size_t>(topic));
  if (!is_partial_ || index == nullptr) return;
  select_values(filter);
  select_states();
}

void PageSelection::select_values(const PageFilter& filter) {
  values_.assign(index_->sample().countersets.size(), admits_others_);
  for (const std::string& name : filter.countersets)
    for (const std::size_t place : index_->called(name)) values_[place] = true;
  for (const std::string& name : filter.without_countersets)
    for (const std::size_t place : index_->called(name)) values_[place] = false;
}

// Several machines of a recording have countersets of the same name.
void PageSelection::select_states() {
  const auto& countersets = index_->sample().countersets;
  states_.resize(values_.size());
  for (std::size_t place = 0; place < values_.size(); ++place) {
    if (!values_[place] || states_[place]) continue;
    const std::string& name = countersets[place].name;
    for (const std::size_t other : index_->called(name))
      if (countersets[other].name == name) states_[other] = true;
  }
}

bool PageSelection::has_state_of(std::string_view counterset) const {
  if (!is_partial_) return true;
  if (index_ == nullptr) return admits_others_;
  const auto& countersets = index_->sample().countersets;
  bool is_known = false;
  for (const std::size_t place : index_->called(counterset)) {
    if (countersets[place].name != counterset) continue;
    if (states_[place]) return true;
    is_known = true;
  }
  return !is_known && admits_others_;
}

}  // namespace winperf
