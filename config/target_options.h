// The keys about other machines. Thread rule: pure functions.
#pragma once

#include <span>

#include "config/options.h"

namespace winperf {

std::span<const Option> target_options();

}  // namespace winperf
