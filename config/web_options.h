// The part of the table of configuration keys that begins with "listen.web". A web configuration of
// its own has the same keys without that. config/options.h has the whole table.
#pragma once

#include <span>

#include "config/options.h"

namespace winperf {

inline constexpr std::string_view kWebSection = "listen.web";

std::span<const Option> web_options();

}  // namespace winperf
