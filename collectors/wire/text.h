// Text of instance names: UTF-16LE (code page 0) or a Windows code page, to UTF-8.
//
// What can't be decoded becomes U+FFFD and is counted: lone surrogates, invalid UTF-8 and, in code
// pages that this program has no table for, every byte that isn't ASCII. Text ends at the first
// NUL. Code pages with a table: 1252 (Western European), 28591 (Latin-1), 65001 (UTF-8), 20127
// (ASCII). Thread rule: any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/wire/byte_view.h"

namespace winperf {

struct Text {
  std::string text;          // valid UTF-8
  std::size_t replaced = 0;  // characters that became U+FFFD
  bool operator==(const Text&) const = default;
};

inline constexpr std::uint32_t kUtf16 = 0;
inline constexpr std::uint32_t kAscii = 20127;

// How many bytes a character of this text takes, judging by its NULs: 2 if it begins like Latin
// letters in UTF-16, 1 if it is ASCII up to a NUL that can't end UTF-16. Empty if it shows neither:
// a single letter, another alphabet, no NUL.
std::optional<std::size_t> unit_bytes_of(std::span<const std::byte> text);

// Where the first NUL of UTF-16 text from `start` on is; nothing if there is none.
std::optional<std::size_t> find_nul(const ByteView& text, std::size_t start = 0);

Text decode_text(std::span<const std::byte> bytes, std::uint32_t code_page);

// Up to the first NUL or the end; an odd last byte is ignored.
Text decode_utf16le(std::span<const std::byte> bytes);

// What can't be decoded becomes U+FFFD.
std::u16string to_utf16(std::string_view utf8);
std::string to_utf8(std::u16string_view utf16);
// Appends the text to a stream of UTF-16LE texts that end with a NUL.
void append_utf16le(std::vector<std::byte>& stream, std::string_view utf8);

}  // namespace winperf
