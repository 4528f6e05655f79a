// The English names of Windows' own objects and counters. Their indices, up to 1847, are the same
// in every Windows and every language, so they can be named even if the table that should be
// English isn't: language packs and rebuilt tables put names of another language there. Thread
// rule: any thread. Source: Learn, "Retrieving Counter Names and Help Text"; docs/registry-path.md,
// "Names".
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/wire/name_table.h"

namespace winperf {

inline constexpr std::uint32_t kLastBaseIndex = 1847;

// Empty if Windows itself has no name with this index.
std::string_view base_name(std::uint32_t index);

// A name that a table should have in English and has in another language.
struct ForeignName {
  std::uint32_t index = 0;
  std::string text;
  std::string_view english;
  bool operator==(const ForeignName&) const = default;
};

// The text of an index in the table that is judged; empty if it has none.
using NameLookup = std::function<std::string_view(std::uint32_t index)>;

// Those of the best-known objects whose names aren't English; empty if the table is English, as far
// as it has them. A single other name is no evidence: it may be damaged.
std::vector<ForeignName> foreign_names(const NameLookup& names);

// The English names of those of Windows' indices that have a name there.
NameTable english_names_for(const NameLookup& names);

}  // namespace winperf
