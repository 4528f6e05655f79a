// What of a filter can be asked of a provider instead of being sorted out afterwards. The answers
// are never narrower than the filter, which decides all the same.
#pragma once

#include <optional>
#include <string>

#include "collectors/match/filter.h"

namespace winperf {

// A pattern of `*` and `?`, compared without regard to case, that matches every name the filter
// accepts; "*" where its expressions say more than such a pattern can.
std::string wildcard_for(const Filter& filter);

// The one name that the filter accepts, where it is one without any special character.
std::optional<std::string> only_name(const Filter& filter);

}  // namespace winperf
