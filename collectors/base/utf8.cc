#include "collectors/base/utf8.h"

namespace winperf {
namespace {

using namespace std::string_view_literals;

// The bytes that a text begins with, and the encoding that they show.
struct Beginning {
  std::string_view bytes;
  const char* encoding;
};
// The little-endian mark of UTF-32 begins with that of UTF-16, so it comes first.
constexpr Beginning kMarks[] = {{"\xFF\xFE\0\0"sv, "UTF-32"},
                                {"\0\0\xFE\xFF"sv, "UTF-32"},
                                {"\xFF\xFE"sv, "UTF-16"},
                                {"\xFE\xFF"sv, "UTF-16"}};

// The encoding of a text without a mark, by the zeros around its first character, which is probably
// ASCII; empty if undecided.
std::string_view unmarked_encoding(std::string_view text) {
  if (text.size() < 4) return {};
  const auto is_zero = [text](std::size_t at) { return text[at] == '\0'; };
  if (is_zero(0) && is_zero(1) && is_zero(2) && !is_zero(3)) return "UTF-32";
  if (!is_zero(0) && is_zero(1) && is_zero(2) && is_zero(3)) return "UTF-32";
  if (is_zero(0) != is_zero(1) && is_zero(0) == is_zero(2) && is_zero(1) == is_zero(3))
    return "UTF-16";
  return {};
}

struct Lead {
  std::size_t bytes = 0;  // of the whole character; 0: no lead byte
  unsigned char second_from = 0x80;
  unsigned char second_to = 0xBF;
};

Lead lead_of(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xC2) return {};
  if (byte < 0xE0) return {2, 0x80, 0xBF};
  if (byte == 0xE0) return {3, 0xA0, 0xBF};
  if (byte == 0xED) return {3, 0x80, 0x9F};
  if (byte < 0xF0) return {3, 0x80, 0xBF};
  if (byte == 0xF0) return {4, 0x90, 0xBF};
  if (byte < 0xF4) return {4, 0x80, 0xBF};
  if (byte == 0xF4) return {4, 0x80, 0x8F};
  return {};
}

}  // namespace

Utf8Step next_character(std::string_view text) {
  const auto byte = [&](std::size_t index) { return static_cast<unsigned char>(text[index]); };
  const Lead lead = lead_of(byte(0));
  if (lead.bytes == 0) return {1, false};
  for (std::size_t i = 1; i < lead.bytes; ++i) {
    const unsigned char from = i == 1 ? lead.second_from : 0x80;
    const unsigned char to = i == 1 ? lead.second_to : 0xBF;
    if (i >= text.size() || byte(i) < from || byte(i) > to) return {i, false};
  }
  return {lead.bytes, true};
}

char32_t code_point_of(std::string_view character) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  // A lead byte of n bytes begins with n ones and a zero; its other bits count.
  char32_t code_point =
      character.size() == 1 ? byte(0) : byte(0) & ((0x80U >> character.size()) - 1);
  for (std::size_t i = 1; i < character.size(); ++i)
    code_point = (code_point << 6) | (byte(i) & 0x3FU);
  return code_point;
}

std::size_t valid_bytes(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {  // most texts are all ASCII
      ++at;
      continue;
    }
    const Utf8Step step = next_character(text.substr(at));
    if (!step.valid) break;
    at += step.bytes;
  }
  return at;
}

void append_utf8(std::string& text, char32_t code_point) {
  const auto tail = [&](int shift) {
    text += static_cast<char>(0x80 | ((code_point >> shift) & 0x3F));
  };
  if (code_point < 0x80) {
    text += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    text += static_cast<char>(0xC0 | (code_point >> 6));
    tail(0);
  } else if (code_point < 0x10000) {
    text += static_cast<char>(0xE0 | (code_point >> 12));
    tail(6);
    tail(0);
  } else {
    text += static_cast<char>(0xF0 | (code_point >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string_view wide_encoding(std::string_view text) {
  for (const Beginning& mark : kMarks)
    if (text.starts_with(mark.bytes)) return mark.encoding;
  return unmarked_encoding(text);
}

}  // namespace winperf
