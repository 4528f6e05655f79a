// The part of the table of configuration keys that is about what to sample: "countersets" and what
// begins with "countersets[]". config/options.h has the whole table.
#pragma once

#include <span>

#include "config/options.h"

namespace winperf {

std::span<const Option> counterset_options();

}  // namespace winperf
