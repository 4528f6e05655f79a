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

}  // namespace winperf
