// A metrics page made of samples alone, for `query --format prometheus`.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "collectors/model/sample.h"
#include "config/config.h"
#include "exporter/mapping/family.h"

namespace winperf {

MappingOptions mapping_options(const MetricsConfig& config);

std::string render_page(std::span<const std::shared_ptr<const CountersetSample>> samples,
                        MappingOptions options);

}  // namespace winperf
