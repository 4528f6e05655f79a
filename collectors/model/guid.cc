#include "collectors/model/guid.h"

#include "collectors/base/hex.h"

namespace winperf {
namespace {

// The byte of the n-th pair of digits: the three integers are written big-endian.
constexpr std::array<std::size_t, Guid::kBytes> kByteOfPair{3, 2, 1,  0,  5,  4,  7,  6,
                                                            8, 9, 10, 11, 12, 13, 14, 15};

constexpr bool is_dash_before(std::size_t pair) {
  return pair == 4 || pair == 6 || pair == 8 || pair == 10;
}

std::optional<std::uint8_t> digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<std::uint8_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<std::uint8_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<std::uint8_t>(c - 'A' + 10);
  return std::nullopt;
}

}  // namespace

std::string to_string(const Guid& guid) {
  std::string text = "{";
  for (std::size_t pair = 0; pair < Guid::kBytes; ++pair) {
    if (is_dash_before(pair)) text += '-';
    const std::uint8_t byte = guid.bytes[kByteOfPair[pair]];
    text += hex_digit(byte >> 4U);
    text += hex_digit(byte);
  }
  return text + '}';
}

std::optional<Guid> parse_guid(std::string_view text) {
  constexpr std::size_t kCharacters = 36;
  if (text.size() == kCharacters + 2 && text.front() == '{' && text.back() == '}')
    text = text.substr(1, kCharacters);
  if (text.size() != kCharacters) return std::nullopt;
  Guid guid;
  std::size_t at = 0;
  for (std::size_t pair = 0; pair < Guid::kBytes; ++pair) {
    if (is_dash_before(pair) && text[at++] != '-') return std::nullopt;
    const auto high = digit(text[at]);
    const auto low = digit(text[at + 1]);
    if (!high || !low) return std::nullopt;
    guid.bytes[kByteOfPair[pair]] = static_cast<std::uint8_t>(*high << 4 | *low);
    at += 2;
  }
  return guid;
}

}  // namespace winperf
