// The keys about what is not a counter. Thread rule: pure functions.
#pragma once

#include <span>

#include "config/options.h"

namespace winperf {

std::span<const Option> fact_options();

}  // namespace winperf
