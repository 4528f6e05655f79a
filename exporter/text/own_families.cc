#include "exporter/text/own_families.h"

#include <cstddef>
#include <string>

namespace winperf {
namespace {

class FamilyCollector final : public SeriesSink {
 public:
  using SeriesSink::SeriesSink;
  std::vector<prometheus::MetricFamily> families;

 private:
  void take(const OwnFamily& family, std::span<const std::string_view> labels,
            double value) override {
    if (families.empty() || families.back().name != family.name)
      families.push_back({family.name, family.help, family.type, {}});
    prometheus::ClientMetric& metric = families.back().metric.emplace_back();
    const auto names = family.labels();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (labels[i].data() != nullptr) metric.label.push_back({names[i], std::string(labels[i])});
    const bool counts = family.type == prometheus::MetricType::Counter;
    (counts ? metric.counter.value : metric.gauge.value) = value;
  }
};

}  // namespace

std::vector<prometheus::MetricFamily> OwnMetrics::collect(const PageSelection& selection) const {
  FamilyCollector collector(selection);
  visit(collector);
  return std::move(collector.families);
}

}  // namespace winperf
