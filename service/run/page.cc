#include "service/run/page.h"

#include "exporter/text/sample_writer.h"

namespace winperf {

MappingOptions mapping_options(const MetricsConfig& config) {
  return {.total_instances = config.total_instances, .cooked = config.cooked};
}

std::string render_page(std::span<const std::shared_ptr<const CountersetSample>> samples,
                        MappingOptions options) {
  Sample page;
  for (const auto& sample : samples) {
    CountersetState state;
    state.name = sample->schema->name;
    state.sample = sample;
    state.success = true;
    page.countersets.push_back(std::move(state));
  }
  std::string text;
  SampleWriter(options).append(text, page);
  return text;
}

}  // namespace winperf
