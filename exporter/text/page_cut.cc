#include "exporter/text/page_cut.h"

#include <algorithm>

#include "collectors/base/ascii.h"

namespace winperf {

bool is_called(const CountersetState& state, std::string_view name) {
  return equal_names(name, state.name) ||
         (state.sample != nullptr && equal_names(name, state.sample->schema->name));
}

bool PageFilter::admits_name(std::string_view name) const {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

bool PageFilter::admits(const CountersetState& state) const {
  if (countersets.empty()) return topics.empty();
  return std::ranges::any_of(countersets,
                             [&](const std::string& name) { return is_called(state, name); });
}

bool PageFilter::admits(FactTopic topic) const {
  return topics.empty() ? countersets.empty() : std::ranges::find(topics, topic) != topics.end();
}

std::string cut_page(std::string_view page, std::span<const PagePart> parts, const Sample& sample,
                     const PageFilter& filter) {
  std::vector<bool> admitted;
  for (const CountersetState& state : sample.countersets) admitted.push_back(filter.admits(state));
  std::string out;
  const PagePart* last = nullptr;
  for (const PagePart& part : parts) {
    if (!admitted[part.counterset] || !filter.admits_name(page.substr(part.begin, part.name_size)))
      continue;
    if (last == nullptr || last->header != part.header)
      out += page.substr(part.header, part.header_size);
    out += page.substr(part.begin, part.end - part.begin);
    last = &part;
  }
  return out;
}

std::vector<prometheus::MetricFamily> cut_families(std::vector<prometheus::MetricFamily> families,
                                                   const Sample& sample, const PageFilter& filter) {
  const auto is_left_out = [&](const prometheus::ClientMetric& metric) {
    const auto label =
        std::ranges::find(metric.label, "counterset", &prometheus::ClientMetric::Label::name);
    if (label == metric.label.end() || (filter.countersets.empty() && filter.topics.empty()))
      return false;
    return std::ranges::none_of(sample.countersets, [&](const CountersetState& state) {
      return state.name == label->value && filter.admits(state);
    });
  };
  std::erase_if(families, [&](const auto& family) { return !filter.admits_name(family.name); });
  for (prometheus::MetricFamily& family : families) std::erase_if(family.metric, is_left_out);
  return families;
}

}  // namespace winperf
