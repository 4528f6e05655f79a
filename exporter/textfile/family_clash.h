// Names that lines of two families would share: those of a histogram "x" are x_bucket, x_sum and
// x_count. Thread rule: any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "exporter/textfile/textfile_family.h"

namespace winperf {

// The histogram or summary among `families` that a line of this name belongs to, and which of its
// lines that is; null if there is none.
std::pair<const std::string*, LineKind> composed_owner(const TextfileFamilies& families,
                                                       std::string_view name);

// Another family that has lines of the same names.
const std::string* clashing_family(const TextfileFamilies& families, std::string_view name,
                                   TextfileType type);

}  // namespace winperf
