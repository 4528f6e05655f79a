// Gives every family a name of its own, whatever the order in which the families come.
//
// Of several families with one name, that with the least key keeps it. The others get a hash of
// their key between stem and suffix, and so has what else their counter has under that stem (its
// base): the same one on every machine and after every restart.
// Families with one key and one name are the same family (an object that is asked for twice).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "exporter/mapping/family.h"

namespace winperf {

// One name for each family, in the order of `families`.
std::vector<std::string> resolve_name_clashes(std::span<const FamilyMapping* const> families);

// Eight hexadecimal digits (FNV-1a, 32 bits).
std::string short_hash(std::string_view text);

}  // namespace winperf
