#include "exporter/http/page_query.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "collectors/match/nearest.h"
#include "exporter/api/problem.h"

namespace winperf {
namespace {

using api::excerpt;

std::string with_meant(std::string message, std::string_view meant) {
  return meant.empty() ? message : message + "; did you mean " + excerpt(meant) + '?';
}

// A parameter that isn't one of /metrics, and which one may be meant.
struct Misnomer {
  std::string_view name;
  std::string_view meant;
  // Short words are similar to many that are other programs' parameters.
  bool needs_no_bracket = true;
};
constexpr Misnomer kMisnomers[] = {{"counterset", "counterset[]"}, {"collect", "collect[]"},
                                   {"exclude", "exclude[]"},       {"facts", "facts[]", false},
                                   {"name", "name[]", false},      {"include", "collect[]"},
                                   {"target", "target"},           {"module", "module"}};
constexpr std::size_t kLongWord = 8;  // recognised with up to two mistakes

// The parameter that a misspelt one may mean; empty if it resembles none, because unknown
// parameters are ignored, as in windows_exporter.
std::string_view meant_by(std::string_view key) {
  const std::string_view word = key.substr(0, key.find('['));
  const bool has_bracket = word.size() != key.size();
  const auto found = std::ranges::find_if(kMisnomers, [&](const Misnomer& misnomer) {
    if (!misnomer.needs_no_bracket && !has_bracket) return word == misnomer.name;
    const std::size_t limit = std::max(word.size(), misnomer.name.size()) < kLongWord ? 1 : 2;
    return edit_distance(word, misnomer.name, limit) <= limit;
  });
  return found == std::end(kMisnomers) ? std::string_view() : found->meant;
}

class FilterBuilder {
 public:
  using Problem = std::optional<std::string>;

  FilterBuilder(const CountersetIndex* index, const FactSnapshot* facts,
                const FindCollector& find_collector)
      : index_(index), facts_(facts), find_collector_(find_collector) {}

  // Why this is no part of a filter.
  Problem add(std::string_view key, const std::string& value) {
    using Add = Problem (FilterBuilder::*)(const std::string&);
    constexpr std::pair<std::string_view, Add> kParameters[] = {
        {"counterset", &FilterBuilder::add_counterset},
        {"collect", &FilterBuilder::add_collector},
        {"exclude", &FilterBuilder::add_exclusion},
        {"facts", &FilterBuilder::add_topic},
        {"name", &FilterBuilder::add_name}};
    const std::string_view name = key.substr(0, key.size() - (key.ends_with("[]") ? 2U : 0U));
    const auto known =
        std::ranges::find(kParameters, name, [](const auto& one) { return one.first; });
    if (known == std::end(kParameters)) return why_unknown(key);
    if (!added_.emplace(name, value).second) return std::nullopt;
    return (this->*known->second)(value);
  }

  // Why there is none.
  std::expected<PageFilter, std::string> filter() && {
    if (collects_ && excludes_)
      return std::unexpected("collect[] and exclude[] cannot be combined; use one of them");
    return std::move(filter_);
  }

 private:
  static Problem why_unknown(std::string_view key) {
    if (key == "module") return std::nullopt;  // of /probe, which has handled it
    if (key == "target")
      return "this page serves this machine only; use /probe?target=HOST for others";
    const std::string_view meant = meant_by(key);
    if (meant.empty()) return std::nullopt;
    return with_meant("unknown parameter " + excerpt(key), meant);
  }

  // Before anything was read, any topic may be.
  bool is_read(FactTopic topic) const {
    return facts_ == nullptr ||
           std::ranges::find(facts_->topics, topic, &FactState::topic) != facts_->topics.end();
  }

  static std::string nearest_to(const std::string& name, const auto& things) {
    std::vector<std::string_view> names;
    for (const auto& thing : things) names.push_back(thing.name);
    return api::nearest_name(name, names);
  }

  Problem add_counterset(const std::string& name) {
    if (index_ != nullptr && !index_->has(name))
      return with_meant("counterset " + excerpt(name) + " is not sampled",
                        nearest_to(name, index_->sample().countersets));
    filter_.countersets.push_back(name);
    return std::nullopt;
  }

  Problem add_name(const std::string& name) {
    if (name.empty()) return "name[] is empty";
    filter_.names.push_back(name);
    return std::nullopt;
  }

  Problem add_topic(const std::string& name) {
    if (const auto topic = find_fact_topic(name)) {
      if (!is_read(*topic)) return "the topic " + excerpt(name) + " is not read";
      filter_.topics.push_back(*topic);
      return std::nullopt;
    }
    return with_meant("unknown topic " + excerpt(name), nearest_to(name, kFactTopics));
  }

  Problem add_collector(const std::string& name) {
    collects_ = true;
    const auto parts = parts_of(name);
    if (!parts) return parts.error();
    if (parts->countersets.empty() && parts->topics.empty())
      return "the collector " + excerpt(name) + " is not supported";
    filter_.topics.insert(filter_.topics.end(), parts->topics.begin(), parts->topics.end());
    bool any = index_ == nullptr ||
               std::ranges::any_of(parts->topics, [&](FactTopic topic) { return is_read(topic); });
    for (const std::string& counterset : parts->countersets) {
      any = any || index_->has(counterset);
      filter_.countersets.push_back(counterset);
    }
    if (any) return std::nullopt;
    return "no data of the collector " + excerpt(name) + " is sampled";
  }

  // Countersets and topics that aren't sampled need no exclusion.
  Problem add_exclusion(const std::string& name) {
    excludes_ = true;
    auto parts = parts_of(name);
    if (!parts) return parts.error();
    std::ranges::move(parts->countersets, std::back_inserter(filter_.without_countersets));
    std::ranges::move(parts->topics, std::back_inserter(filter_.without_topics));
    return std::nullopt;
  }

  std::expected<CollectorParts, std::string> parts_of(const std::string& collector) const {
    using Found = std::expected<CollectorParts, std::string>;
    Found parts = find_collector_ ? find_collector_(collector) : Found(std::unexpect);
    if (parts) return parts;
    return std::unexpected(with_meant(
        "windows_exporter has no collector called " + excerpt(collector), parts.error()));
  }

  const CountersetIndex* index_;
  const FactSnapshot* facts_;
  const FindCollector& find_collector_;
  std::set<std::pair<std::string_view, std::string_view>> added_;  // key and value
  PageFilter filter_;
  bool collects_ = false;
  bool excludes_ = false;
};

}  // namespace

std::expected<PageFilter, std::string> page_filter(
    const std::multimap<std::string, std::string>& query, const CountersetIndex* index,
    const FactSnapshot* facts, const FindCollector& find_collector) {
  FilterBuilder builder(index, facts, find_collector);
  for (const auto& [key, value] : query)
    if (auto problem = builder.add(key, value)) return std::unexpected(*std::move(problem));
  return std::move(builder).filter();
}

}  // namespace winperf
