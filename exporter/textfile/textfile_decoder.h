// What a program on Windows writes as text, as UTF-8: UTF-8 with or without a byte order mark, and
// UTF-16 with one, which is what PowerShell 5's `>` and Out-File write. UTF-32, and UTF-16 without
// a mark, are refused; whether UTF-8 is valid is not checked here. The bytes may come in any
// pieces. Errors: a sentence that says what to do, with the line if there is one.
// Thread rule: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace winperf {

// What to do about a file in another encoding; the end of a sentence.
inline constexpr const char* kEncodingRepair =
    ": write it as UTF-8 or ASCII, as PowerShell's Set-Content -Encoding ascii does";

class TextfileDecoder {
 public:
  // Both are valid until the next call.
  [[nodiscard]] std::expected<std::string_view, std::string> decode(
      std::span<const std::byte> bytes);
  // Nothing follows.
  [[nodiscard]] std::expected<std::string_view, std::string> finish();

 private:
  enum class Encoding : std::uint8_t { kUnknown, kUtf8, kLittleEndian, kBigEndian };

  [[nodiscard]] std::expected<void, std::string> recognize();
  [[nodiscard]] std::expected<std::string_view, std::string> from_utf16(std::string_view bytes);
  // Whether a character is complete after this unit; false if a surrogate is alone.
  bool take_unit(char32_t unit);
  std::string in_line() const;

  Encoding encoding_ = Encoding::kUnknown;
  std::string begin_;       // of the file, until its encoding is known
  std::string text_;        // that was returned last
  std::string half_;        // a byte of a unit
  char32_t surrogate_ = 0;  // the first of two
  std::size_t line_ = 1;
};

}  // namespace winperf
