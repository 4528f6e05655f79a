// Parts of a page, for a client that asks for some of it only: a filter as it was asked, and what
// it selects of one sample. A name is looked up once; the parts of the page then ask the selection,
// whose time doesn't depend on the length of the filter. Thread rule: values. A selection must not
// outlive its index.
#pragma once

#include <bitset>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "collectors/model/fact_topic.h"
#include "collectors/model/sample.h"

namespace winperf {

// The countersets of one sample by the names that people use, regardless of case: as configured,
// what the object is called, or what it is called without the installation of its product. Built
// once for a sample, so that finding a name is one look-up in a table, regardless of the number of
// countersets. Thread rule: never changes, so any thread.
class CountersetIndex {
 public:
  explicit CountersetIndex(std::shared_ptr<const Sample> sample);

  const Sample& sample() const { return *sample_; }
  // The places in the sample of those that are called so, in their order; none: nothing is.
  std::span<const std::size_t> called(std::string_view name) const;
  bool has(std::string_view name) const { return !called(name).empty(); }

 private:
  std::shared_ptr<const Sample> sample_;
  std::unordered_map<std::string, std::vector<std::size_t>> places_;  // by name in lower case
};

struct PageFilter {
  std::vector<std::string> countersets{};  // as people call them
  std::vector<std::string> names{};        // of metrics; empty: all
  std::vector<FactTopic> topics{};  // of facts; an empty list here and of countersets admits all
  // Exceptions from these.
  std::vector<std::string> without_countersets{};
  std::vector<FactTopic> without_topics{};

  bool is_of_parts() const { return !countersets.empty() || !topics.empty(); }
  bool has_exceptions() const { return !without_countersets.empty() || !without_topics.empty(); }
  bool admits_all() const { return names.empty() && !is_of_parts() && !has_exceptions(); }
};

class PageSelection {
 public:
  // Everything.
  PageSelection() = default;
  // `index`: of the page's sample; null if there is none.
  PageSelection(const PageFilter& filter, const CountersetIndex* index);

  bool has_all() const { return !is_partial_ && has_all_names(); }
  // Whether it has all metrics of what it selects.
  bool has_all_names() const { return names_.empty(); }
  bool has_name(std::string_view name) const { return has_all_names() || names_.contains(name); }
  const auto& names() const { return names_; }  // unless it has all

  // The values of a counterset, by its place in the sample.
  bool has_counterset(std::size_t place) const { return !is_partial_ || values_[place]; }
  // The exporter's metrics about it, which distinguish countersets by their configured names.
  bool has_state(std::size_t place) const { return !is_partial_ || states_[place]; }
  // The same for the counterset that the configuration calls exactly so.
  bool has_state_of(std::string_view counterset) const;
  bool has_topic(FactTopic topic) const {
    return !is_partial_ || topics_.test(static_cast<std::size_t>(topic));
  }

 private:
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const {
      return std::hash<std::string_view>()(name);
    }
  };

  void select_values(const PageFilter& filter);
  void select_states();

  bool is_partial_ = false;    // some countersets or topics, and not all
  bool admits_others_ = true;  // those that no filter names
  const CountersetIndex* index_ = nullptr;
  std::vector<bool> values_;
  std::vector<bool> states_;
  std::bitset<kFactTopicCount> topics_;
  std::unordered_set<std::string, NameHash, std::equal_to<>> names_;
};

}  // namespace winperf
