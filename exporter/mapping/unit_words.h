// Units as they occur in counter names, and words that a metric name must not contain.
// Source: promlint's tables of base units, prefixes and abbreviations. In Windows' counter names a
// KByte is 1024 bytes. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "exporter/mapping/words.h"

namespace winperf {

// Which word of a name is its unit. Whether a word is one depends on its place and on the words
// around it: "Latency (sec)" is a time; "Requests (sec)", "Requests over 10 seconds" and "Second
// Level Cache" are not. docs/metrics.md has the rule. Thread rule: any thread.

// The index of the word; nothing if the name has no unit.
std::optional<std::size_t> find_unit(std::span<const Word> words);

// The same of a counter whose type says that it is a time: its name only repeats that.
std::optional<std::size_t> find_time_unit(std::span<const Word> words);

// "latency", "duration": what a time is called. In lower case.
bool measures_time(std::string_view word);

// Where a word may be a unit (unit_place.h).
enum class UnitSort {
  kSize,   // "bytes": anywhere, since it is what is counted
  kTime,   // "seconds", "ms": where units are written, or where it is what is counted
  kVague,  // "sec", "s": often "per second", a plural or an ordinal
  kLabel,  // "KB", "volts": where units are written
};

struct Unit {
  std::string_view base;  // "bytes", "seconds", ...
  double factor = 1;      // one of the word's unit in base units
  UnitSort sort = UnitSort::kLabel;
};

// The unit that a word in lower case may be.
std::optional<Unit> unit_called(std::string_view word);

// The word itself, or its replacement if promlint would object to it as a part of a name:
// abbreviated units, units that aren't base units, names of metric types.
std::string neutral_word(std::string_view word);

// "thread" -> "threads", "retry" -> "retries"; a plural stays as it is.
std::string plural(std::string_view word);

}  // namespace winperf
