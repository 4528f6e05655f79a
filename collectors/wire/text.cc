#include "collectors/wire/text.h"

#include <algorithm>
#include <array>

#include "collectors/base/utf8.h"

namespace winperf {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

// Windows-1252 from 0x80 to 0x9F; the rest is Latin-1. 0 means unassigned.
constexpr std::array<char16_t, 32> kWindows1252{
    0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0,      0x017D, 0,      0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

void append_or_replace(Text& text, std::optional<char32_t> code_point) {
  if (!code_point) ++text.replaced;
  append_utf8(text.text, code_point.value_or(kReplacement));
}

std::optional<char32_t> decode_single(std::uint8_t byte, std::uint32_t code_page) {
  if (byte < 0x80) return byte;
  const bool latin = code_page == 28591 || (code_page == 1252 && byte >= 0xA0);
  if (latin) return byte;
  if (code_page != 1252) return std::nullopt;
  const char16_t code_point = kWindows1252[byte - 0x80];
  return code_point == 0 ? std::nullopt : std::optional<char32_t>(code_point);
}

Text decode_utf8(std::span<const std::byte> bytes) {
  std::string_view rest(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  rest = rest.substr(0, rest.find('\0'));
  Text result;
  while (!rest.empty()) {
    const Utf8Step step = next_character(rest);
    result.text += step.valid ? rest.substr(0, step.bytes) : kReplacementCharacter;
    result.replaced += step.valid ? 0 : 1;
    rest.remove_prefix(step.bytes);
  }
  return result;
}

char32_t unit_at(std::span<const std::byte> bytes, std::size_t unit) {
  return static_cast<char32_t>(bytes[2 * unit]) | (static_cast<char32_t>(bytes[2 * unit + 1]) << 8);
}

}  // namespace

Text decode_utf16le(std::span<const std::byte> bytes) {
  Text result;
  const std::size_t units = bytes.size() / 2;
  for (std::size_t i = 0; i < units; ++i) {
    const char32_t unit = unit_at(bytes, i);
    if (unit == 0) break;
    if (unit < 0xD800 || unit >= 0xE000) {
      append_utf8(result.text, unit);
      continue;
    }
    const char32_t low = i + 1 < units ? unit_at(bytes, i + 1) : 0;
    const bool pair = unit < 0xDC00 && low >= 0xDC00 && low < 0xE000;
    append_or_replace(
        result, pair ? std::optional<char32_t>(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
                     : std::nullopt);
    if (pair) ++i;
  }
  return result;
}

std::u16string to_utf16(std::string_view utf8) {
  std::u16string text;
  while (!utf8.empty()) {
    const Utf8Step step = next_character(utf8);
    const char32_t code_point =
        step.valid ? code_point_of(utf8.substr(0, step.bytes)) : kReplacement;
    utf8.remove_prefix(step.bytes);
    if (code_point < 0x10000) {
      text += static_cast<char16_t>(code_point);
    } else {
      text += static_cast<char16_t>(0xD800 + ((code_point - 0x10000) >> 10));
      text += static_cast<char16_t>(0xDC00 + ((code_point - 0x10000) & 0x3FF));
    }
  }
  return text;
}

std::string to_utf8(std::u16string_view utf16) {
  return decode_utf16le(std::as_bytes(std::span(utf16))).text;
}

void append_utf16le(std::vector<std::byte>& stream, std::string_view utf8) {
  for (const char16_t unit : to_utf16(utf8)) {
    stream.push_back(static_cast<std::byte>(unit & 0xFF));
    stream.push_back(static_cast<std::byte>(unit >> 8));
  }
  stream.resize(stream.size() + sizeof(char16_t));
}

namespace {

// Whether one of four UTF-16 units is NUL.
bool has_nul(std::uint64_t units) {
  constexpr std::uint64_t kEach = 0x0001'0001'0001'0001;
  return ((units - kEach) & ~units & (0x8000 * kEach)) != 0;
}

}  // namespace

std::optional<std::size_t> find_nul(const ByteView& text, std::size_t start) {
  std::size_t at = start;
  while (text.holds<std::uint64_t>(at) && !has_nul(text.get<std::uint64_t>(at)))
    at += sizeof(std::uint64_t);
  for (; text.holds<char16_t>(at); at += sizeof(char16_t))
    if (text.get<char16_t>(at) == u'\0') return at;
  return std::nullopt;
}

std::optional<std::size_t> unit_bytes_of(std::span<const std::byte> text) {
  constexpr std::byte kNul{0};
  constexpr std::size_t kUnit = sizeof(char16_t);
  if (text.size() >= 3 * kUnit && text[0] != kNul && text[1] == kNul && text[2] != kNul &&
      text[3] == kNul)
    return kUnit;
  const auto end = std::ranges::find(text, kNul);
  const auto length = static_cast<std::size_t>(end - text.begin());
  const bool is_ascii = std::all_of(text.begin(), end, [](std::byte byte) {
    return byte >= std::byte{' '} && byte <= std::byte{'~'};
  });
  if (end == text.end() || length < kUnit || !is_ascii) return std::nullopt;
  // In UTF-16 a NUL follows that is two bytes long, as does the second half of the last character.
  const std::size_t left = text.size() - length - 1;
  const bool ends_with_a_byte = length % kUnit != 0 ? left < kUnit : left == 0;
  return ends_with_a_byte ? std::optional<std::size_t>(1) : std::nullopt;
}

Text decode_text(std::span<const std::byte> bytes, std::uint32_t code_page) {
  if (code_page == kUtf16) return decode_utf16le(bytes);
  if (code_page == 65001) return decode_utf8(bytes);
  Text result;
  for (const std::byte byte : bytes) {
    if (byte == std::byte{0}) break;
    append_or_replace(result, decode_single(static_cast<std::uint8_t>(byte), code_page));
  }
  return result;
}

}  // namespace winperf
