// Copies of short texts into memory that is there already: labels, names and the like, which are so
// short that a call of memcpy() would take longer than the copy. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace winperf {

// The pieces of a fixed size at the beginning and the end of a text, which may overlap.
template <std::size_t kPiece>
void copy_both_ends(char* to, std::string_view text) {
  const std::size_t last = text.size() - kPiece;
  std::memcpy(to, text.data(), kPiece);
  std::memcpy(to + last, text.data() + last, kPiece);
}

// Each writes at a place with room for the text, and returns the end.
inline char* copied(char* to, std::string_view text) {
  constexpr std::size_t kPiece = 32;
  const std::size_t size = text.size();
  if (size >= kPiece) {
    for (std::size_t at = kPiece; at + kPiece < size; at += kPiece)
      std::memcpy(to + at, text.data() + at, kPiece);
    copy_both_ends<kPiece>(to, text);
  } else if (size >= 16) {
    copy_both_ends<16>(to, text);
  } else if (size >= 8) {
    copy_both_ends<8>(to, text);
  } else if (size >= 4) {
    copy_both_ends<4>(to, text);
  } else if (size >= 2) {
    copy_both_ends<2>(to, text);
  } else if (size == 1) {
    *to = text.front();
  }
  return to + size;
}
// A literal, whose size is known.
template <std::size_t kSize>
char* copied(char* to, const char (&text)[kSize]) {
  std::memcpy(to, text, kSize - 1);
  return to + kSize - 1;
}

}  // namespace winperf
