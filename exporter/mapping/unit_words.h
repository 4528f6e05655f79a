// Units as they occur in counter names, and words that a metric name must not contain.
// Source: promlint's tables of base units, prefixes and abbreviations. In Windows' counter names a
// KByte is 1024 bytes. Thread rule: any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "exporter/mapping/words.h"

namespace winperf {

struct Unit {
  std::string_view base;  // "bytes", "seconds", ...
  double factor = 1;      // one of the word's unit in base units
};

// The unit that a word stands for at its place in a name. An abbreviation ("ms", "KB"), or a unit
// that is also an ordinary word ("hours"), counts only at a unit's position.
std::optional<Unit> unit_of(const Word& word);

// The word itself, or its replacement if promlint would object to it as a part of a name:
// abbreviated units, units that aren't base units, names of metric types.
std::string neutral_word(std::string_view word);

// "thread" -> "threads", "retry" -> "retries"; a plural stays as it is.
std::string plural(std::string_view word);

}  // namespace winperf
