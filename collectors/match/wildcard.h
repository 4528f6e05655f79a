// Which part of a filter a provider can apply itself, so that it delivers less. The answers are
// never narrower than the filter, which still decides.
#pragma once

#include <optional>
#include <string>

#include "collectors/match/filter.h"

namespace winperf {

// A case-insensitive pattern of `*` and `?` that matches every name the filter accepts; "*" if its
// expressions say more than such a pattern can.
std::string wildcard_for(const Filter& filter);

// The only name that the filter accepts, if its pattern is one name without special characters.
std::optional<std::string> only_name(const Filter& filter);

}  // namespace winperf
