#include "exporter/text/page_selection.h"

#include <algorithm>

namespace winperf {

PageSelection::PageSelection(const PageFilter& filter, const CountersetIndex* index)
    : is_partial_(!filter.countersets.empty() || !filter.topics.empty()),
      index_(index),
      names_(filter.names.begin(), filter.names.end()) {
  for (const FactTopic topic : filter.topics) topics_.set(static_cast<std::size_t>(topic));
  if (!is_partial_ || index == nullptr) return;
  values_.resize(index->sample().countersets.size());
  states_.resize(values_.size());
  for (const std::string& name : filter.countersets)
    for (const std::size_t place : index->called(name)) add_counterset(place);
}

// Several machines of a recording have countersets of the same name.
void PageSelection::add_counterset(std::size_t place) {
  if (values_[place]) return;
  values_[place] = true;
  if (states_[place]) return;
  const auto& countersets = index_->sample().countersets;
  const std::string& name = countersets[place].name;
  for (const std::size_t other : index_->called(name))
    if (countersets[other].name == name) states_[other] = true;
}

bool PageSelection::has_state_of(std::string_view counterset) const {
  if (!is_partial_) return true;
  if (index_ == nullptr) return false;
  const auto& countersets = index_->sample().countersets;
  return std::ranges::any_of(index_->called(counterset), [&](std::size_t place) {
    return states_[place] && countersets[place].name == counterset;
  });
}

}  // namespace winperf
