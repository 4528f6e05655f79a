// The rules of `promtool check metrics` for names, restated for tests.
// Source: Prometheus' promlint, its tables of units and its validations.
#pragma once

#include <string>

#include "exporter/mapping/family.h"

namespace winperf::testing {

// Empty where there is nothing to complain about.
std::string lint_name(const std::string& name, MetricType type);

}  // namespace winperf::testing
