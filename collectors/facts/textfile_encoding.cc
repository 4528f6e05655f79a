#include "collectors/facts/textfile_encoding.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "collectors/base/utf8.h"

namespace winperf {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kLittleEndianMark = "\xFF\xFE";
constexpr std::string_view kBigEndianMark = "\xFE\xFF";
constexpr std::string_view kUtf32Mark = "\xFF\xFE\0\0"sv;
constexpr const char* kRepair =
    ": write it as UTF-8 or ASCII, as PowerShell's Set-Content -Encoding ascii does";

std::unexpected<std::string> refused(std::string what) {
  return std::unexpected(std::move(what) + kRepair);
}

std::string in_line(std::string_view before) {
  return "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ": ";
}

// A unit and, after a high surrogate, the low one; nothing if a surrogate is alone.
std::optional<char32_t> joined(char32_t unit, char32_t next) {
  if (unit < 0xD800 || unit > 0xDFFF) return unit;
  if (unit > 0xDBFF || next < 0xDC00 || next > 0xDFFF) return std::nullopt;
  return 0x10000 + ((unit - 0xD800) << 10) + (next - 0xDC00);
}

std::expected<std::string, std::string> from_utf16(std::string_view text, bool is_little_endian) {
  const auto unit_at = [&](std::size_t at) -> char32_t {
    if (at + 2 > text.size()) return 0;
    const auto first = static_cast<unsigned char>(text[at]);
    const auto second = static_cast<unsigned char>(text[at + 1]);
    return is_little_endian ? first | (second << 8U) : second | (first << 8U);
  };
  std::string utf8;
  utf8.reserve(text.size() / 2);
  for (std::size_t at = 0; at < text.size(); at += 2) {
    if (at + 1 == text.size())
      return refused(in_line(utf8) + "half of a character of UTF-16 ends the file");
    const auto character = joined(unit_at(at), unit_at(at + 2));
    if (!character) return refused(in_line(utf8) + "a surrogate of UTF-16 is alone");
    append_utf8(utf8, *character);
    if (*character > 0xFFFF) at += 2;
  }
  return utf8;
}

}  // namespace

std::expected<std::string, std::string> textfile_text(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with(kUtf32Mark)) return refused("it is UTF-32");
  if (text.starts_with(kLittleEndianMark)) return from_utf16(text.substr(2), true);
  if (text.starts_with(kBigEndianMark)) return from_utf16(text.substr(2), false);
  if (text.starts_with(kUtf8Mark)) text.remove_prefix(kUtf8Mark.size());
  // The text begins with ASCII, whatever follows.
  if (text.substr(0, 2).contains('\0')) return refused("it is UTF-16 without a byte order mark");
  if (const std::size_t valid = valid_bytes(text); valid < text.size())
    return refused(in_line(text.substr(0, valid)) + "this is not UTF-8");
  return std::string(text);
}

}  // namespace winperf
