// A place in a text, and what is wrong there. Thread rule: values; any thread.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

struct TextError {
  std::size_t offset = 0;  // bytes from the start of the text
  std::string message;
  bool operator==(const TextError&) const = default;
};

struct TextPosition {
  std::size_t line = 1;
  std::size_t column = 1;  // in characters of UTF-8
  bool operator==(const TextPosition&) const = default;
};

// Line and column of a byte; those of the text's end if `offset` is past it.
TextPosition position_of(std::string_view text, std::size_t offset);

// Line numbers by offset, for many look-ups in one text.
class LineIndex {
 public:
  explicit LineIndex(std::string_view text);
  std::size_t line_of(std::size_t offset) const;  // from 1

 private:
  std::vector<std::size_t> breaks_;  // offsets of the line breaks, ascending
};

// A key in quotes with a blank before it, or nothing if it is no word: what people mistype is one,
// and a line of a private key, a password or a hash that stands in the wrong place is none.
std::string shown_key(std::string_view key);

// The whole text in quotes and escaped, as JSON and the configuration write it.
std::string as_json(std::string_view text);

}  // namespace winperf
