// Splits the name of an object or counter into lower-case words of ASCII letters and digits, and
// says which of them are units.
//
// The input is any UTF-8 text. The work is linear in its length, and at most kMaxNameBytes of
// it are read. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

inline constexpr std::size_t kMaxNameBytes = 160;

struct Word {
  std::string text;
  bool capitals = false;     // all letters are capitals: "BITS" is not a unit
  bool bracketed = false;    // "(KB)"; not the "(s)" of a plural, which ends the word before it
  bool after_slash = false;  // "request" of "Milliseconds/request"
  bool before_rate = false;  // "MB" of "MB/sec"
};

struct NameWords {
  std::vector<Word> words;
  bool percent = false;     // the name has a percent sign
  bool per_second = false;  // the name has "/sec" or "Per Second", which aren't words
};

// `slash_is_per`: "Disk Bytes/Read" is bytes per read; otherwise "Read/Write" is two words.
NameWords split_name(std::string_view name, bool slash_is_per);

// Units as they occur in counter names, and words that a metric name must not contain.
// Source: promlint's tables of base units, prefixes and abbreviations. In Windows' counter names a
// KByte is 1024 bytes.
//
// Which word of a name is its unit. Whether a word is one depends on its place and on the words
// around it: "Latency (sec)" is a time; "Requests (sec)", "Requests over 10 seconds" and "Second
// Level Cache" are not. docs/metrics.md has the rule.

// The index of the word; nothing if the name has no unit.
std::optional<std::size_t> find_unit(std::span<const Word> words);

// The same of a counter whose type says that it is a time: its name only repeats that.
std::optional<std::size_t> find_time_unit(std::span<const Word> words);

// "latency", "duration": what a time is called. In lower case.
bool measures_time(std::string_view word);

// Where a word may be a unit.
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
