// Splits the name of an object or counter into lower-case words of ASCII letters and digits.
//
// Input is any UTF-8 text; the work is linear in its length, and no more than kMaximumNameBytes of
// it are read.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

inline constexpr std::size_t kMaximumNameBytes = 160;

struct Word {
  std::string text;
  bool at_unit_position = false;  // in parentheses, or the last word: "(KB)", "Cache Size MB"
  bool capitals = false;          // written in capitals alone: "BITS" is no unit
};

struct NameWords {
  std::vector<Word> words;
  bool percent = false;     // had a percent sign
  bool per_second = false;  // ended in "/sec" or "Per Second"
};

// `slash_is_per`: "Disk Bytes/Read" is bytes per read; otherwise "Read/Write" is two words.
NameWords split_name(std::string_view name, bool slash_is_per);

}  // namespace winperf
