// Splits the name of an object or counter into lower-case words of ASCII letters and digits.
//
// The input is any UTF-8 text. The work is linear in its length, and at most kMaxNameBytes of
// it are read. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

inline constexpr std::size_t kMaxNameBytes = 160;

struct Word {
  std::string text;
  bool at_unit_position = false;  // in parentheses, or the last word: "(KB)", "Cache Size MB"
  bool capitals = false;          // all letters are capitals: "BITS" is not a unit
};

struct NameWords {
  std::vector<Word> words;
  bool percent = false;     // the name has a percent sign
  bool per_second = false;  // the name ends in "/sec" or "Per Second"
};

// `slash_is_per`: "Disk Bytes/Read" is bytes per read; otherwise "Read/Write" is two words.
NameWords split_name(std::string_view name, bool slash_is_per);

}  // namespace winperf
