#include "exporter/http/page_query.h"

#include <algorithm>
#include <optional>
#include <set>

#include "collectors/base/printable.h"
#include "collectors/match/nearest.h"

namespace winperf {
namespace {

// As it may be shown to people: it comes from anybody.
std::string in_quotes(std::string_view text) {
  constexpr std::size_t kMostShown = 100;
  const std::string shown = printable(text.substr(0, kMostShown));
  return "'" + shown + (text.size() > kMostShown ? "...'" : "'");
}

std::string with_meant(std::string message, std::string_view meant) {
  return meant.empty() ? message : message + ": did you mean " + in_quotes(meant) + '?';
}

class FilterBuilder {
 public:
  FilterBuilder(const CountersetIndex* index, const FactSnapshot* facts,
                const FindCollector& find_collector)
      : index_(index), facts_(facts), find_collector_(find_collector) {}

  // Why this is no part of a filter.
  std::optional<std::string> add(std::string_view key, const std::string& value) {
    if (key.ends_with("[]")) key.remove_suffix(2);
    if (!added_.emplace(key, value).second) return std::nullopt;
    if (key == "counterset") return add_counterset(value);
    if (key == "collect") return add_collector(value);
    if (key == "facts") return add_topic(value);
    if (key != "name")
      return "unknown parameter " + in_quotes(key) +
             ": /metrics takes counterset[], collect[], facts[] and name[]";
    if (value.empty()) return "name[] is empty";
    filter_.names.push_back(value);
    return std::nullopt;
  }

  PageFilter filter() && { return std::move(filter_); }

 private:
  static constexpr std::size_t kLongestCompared = 64;

  // Before anything was read, any topic may be.
  bool is_read(FactTopic topic) const {
    return facts_ == nullptr ||
           std::ranges::find(facts_->topics, topic, &FactState::topic) != facts_->topics.end();
  }

  // Anybody may send any name, and comparing long ones takes time.
  std::string_view nearest_to(const std::string& name) const {
    if (name.size() > kLongestCompared) return {};
    std::vector<std::string_view> names;
    for (const CountersetState& state : index_->sample().countersets) names.push_back(state.name);
    return nearest(name, names);
  }

  std::optional<std::string> add_counterset(const std::string& name) {
    if (index_ != nullptr && !index_->has(name))
      return with_meant("no counterset called " + in_quotes(name) + " is sampled",
                        nearest_to(name));
    filter_.countersets.push_back(name);
    return std::nullopt;
  }

  std::optional<std::string> add_topic(std::string_view name) {
    if (const auto topic = find_fact_topic(name)) {
      if (!is_read(*topic)) return "the topic " + in_quotes(name) + " of facts is not read";
      filter_.topics.push_back(*topic);
      return std::nullopt;
    }
    std::vector<std::string_view> names;
    for (const FactTopicInfo& info : kFactTopics) names.push_back(info.name);
    return with_meant("there is no topic " + in_quotes(name) + " of facts",
                      name.size() > kLongestCompared ? std::string_view() : nearest(name, names));
  }

  std::optional<std::string> add_collector(const std::string& name) {
    using Found = std::expected<CollectorParts, std::string>;
    const Found parts = find_collector_ ? find_collector_(name) : Found(std::unexpect);
    if (!parts)
      return with_meant("windows_exporter has no collector called " + in_quotes(name),
                        parts.error());
    if (parts->countersets.empty() && parts->topics.empty())
      return "nothing that the collector " + in_quotes(name) + " reads is read by this program";
    filter_.topics.insert(filter_.topics.end(), parts->topics.begin(), parts->topics.end());
    bool any = index_ == nullptr ||
               std::ranges::any_of(parts->topics, [&](FactTopic topic) { return is_read(topic); });
    for (const std::string& counterset : parts->countersets) {
      any = any || index_->has(counterset);
      filter_.countersets.push_back(counterset);
    }
    if (any) return std::nullopt;
    return "nothing that the collector " + in_quotes(name) + " reads is sampled";
  }

  const CountersetIndex* index_;
  const FactSnapshot* facts_;
  const FindCollector& find_collector_;
  std::set<std::pair<std::string_view, std::string_view>> added_;  // key and value
  PageFilter filter_;
};

}  // namespace

std::expected<PageFilter, std::string> page_filter(
    std::span<const std::pair<std::string, std::string>> query, const CountersetIndex* index,
    const FactSnapshot* facts, const FindCollector& find_collector) {
  FilterBuilder builder(index, facts, find_collector);
  for (const auto& [key, value] : query)
    if (auto problem = builder.add(key, value)) return std::unexpected(*std::move(problem));
  return std::move(builder).filter();
}

}  // namespace winperf
