// The page at "/": what this is, and links to what it serves.
#pragma once

#include <string>

#include "exporter/text/build_info.h"

namespace winperf {

std::string landing_page(const BuildInfo& build);

}  // namespace winperf
