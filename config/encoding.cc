#include "config/encoding.h"

#include <cstdint>

namespace winperf {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

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
// ASCII; empty if they don't tell.
std::string_view unmarked_encoding(std::string_view text) {
  if (text.size() < 4) return {};
  const auto is_zero = [text](std::size_t at) { return text[at] == '\0'; };
  if (is_zero(0) && is_zero(1) && is_zero(2) && !is_zero(3)) return "UTF-32";
  if (!is_zero(0) && is_zero(1) && is_zero(2) && is_zero(3)) return "UTF-32";
  if (is_zero(0) != is_zero(1) && is_zero(0) == is_zero(2) && is_zero(1) == is_zero(3))
    return "UTF-16";
  return {};
}

std::string_view wide_encoding(std::string_view text) {
  for (const Beginning& mark : kMarks)
    if (text.starts_with(mark.bytes)) return mark.encoding;
  return unmarked_encoding(text);
}

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// The length of the sequence that begins with `lead`; 0 if none does.
std::size_t sequence_length(unsigned lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

// The second byte of a sequence is bounded so that overlong forms, surrogates and numbers above
// U+10FFFF are refused (Unicode standard, table 3-7).
bool second_byte_fits(unsigned lead, unsigned second) {
  const unsigned low = lead == 0xE0 ? 0xA0U : lead == 0xF0 ? 0x90U : 0x80U;
  const unsigned high = lead == 0xED ? 0x9FU : lead == 0xF4 ? 0x8FU : 0xBFU;
  return second >= low && second <= high;
}

// The length of the valid character at `at`, or 0.
std::size_t character_length(std::string_view text, std::size_t at) {
  const unsigned lead = byte_at(text, at);
  const std::size_t length = sequence_length(lead);
  if (length == 0 || length > text.size() - at) return 0;
  if (length > 1 && !second_byte_fits(lead, byte_at(text, at + 1))) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte_at(text, at + i) & 0xC0U) != 0x80U) return 0;
  }
  return length;
}

bool is_forbidden_control(unsigned byte) {
  return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F;
}

}  // namespace

std::string_view without_byte_order_mark(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return text;
}

std::optional<TextError> check_encoding(std::string_view text) {
  if (text.size() > kMaxConfigBytes) {
    return TextError{kMaxConfigBytes, kFileTooLarge};
  }
  if (const std::string_view encoding = wide_encoding(text); !encoding.empty())
    return TextError{0, "the file is " + std::string(encoding) + ": save it as UTF-8"};
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_length(text, at);
    if (length == 0) return TextError{at, "invalid UTF-8: save the file as UTF-8"};
    if (is_forbidden_control(byte_at(text, at))) {
      return TextError{at, "a control character: remove it, and save the file as UTF-8 text"};
    }
    at += length;
  }
  return std::nullopt;
}

}  // namespace winperf
