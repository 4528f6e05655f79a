#include "exporter/textfile/textfile_decoder.h"

#include <utility>

#include "collectors/base/utf8.h"

namespace winperf {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";
constexpr std::string_view kLittleEndianMark = "\xFF\xFE";
constexpr std::string_view kBigEndianMark = "\xFE\xFF";
constexpr std::string_view kUtf32Mark = "\xFF\xFE\0\0"sv;
constexpr std::size_t kRecognized = 5;  // bytes: the longest mark, and a character of UTF-16

std::unexpected<std::string> refused(std::string what) {
  return std::unexpected(std::move(what) + kEncodingRepair);
}

bool is_first_half(char32_t unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_second_half(char32_t unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

}  // namespace

std::expected<std::string_view, std::string> TextfileDecoder::decode(
    std::span<const std::byte> bytes) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (encoding_ == Encoding::kUtf8) return text;
  if (encoding_ != Encoding::kUnknown) return from_utf16(text);
  begin_ += text;
  if (begin_.size() < kRecognized) return std::string_view();
  if (const auto known = recognize(); !known) return std::unexpected(known.error());
  const std::string begin = std::exchange(begin_, {});
  if (encoding_ != Encoding::kUtf8) return from_utf16(begin);
  text_ = begin;
  return std::string_view(text_);
}

std::expected<std::string_view, std::string> TextfileDecoder::finish() {
  std::string_view rest;
  if (encoding_ == Encoding::kUnknown) {
    if (const auto known = recognize(); !known) return std::unexpected(known.error());
    text_ = std::exchange(begin_, {});
    rest = text_;
    if (encoding_ != Encoding::kUtf8) {
      const auto decoded = from_utf16(std::exchange(text_, {}));
      if (!decoded) return decoded;
      rest = *decoded;
    }
  }
  if (!half_.empty()) return refused(in_line() + "half of a character of UTF-16 ends the file");
  if (surrogate_ != 0) return refused(in_line() + "a surrogate of UTF-16 is alone");
  return rest;
}

std::expected<void, std::string> TextfileDecoder::recognize() {
  const auto drop = [this](std::string_view mark) { begin_.erase(0, mark.size()); };
  if (begin_.starts_with(kUtf32Mark)) return refused("it is UTF-32");
  encoding_ = Encoding::kUtf8;
  if (begin_.starts_with(kLittleEndianMark)) {
    encoding_ = Encoding::kLittleEndian;
    drop(kLittleEndianMark);
  } else if (begin_.starts_with(kBigEndianMark)) {
    encoding_ = Encoding::kBigEndian;
    drop(kBigEndianMark);
  } else if (begin_.starts_with(kUtf8Mark)) {
    drop(kUtf8Mark);
  }
  // The text begins with ASCII, whatever follows.
  if (encoding_ == Encoding::kUtf8 && begin_.substr(0, 2).contains('\0'))
    return refused("it is UTF-16 without a byte order mark");
  return {};
}

std::expected<std::string_view, std::string> TextfileDecoder::from_utf16(std::string_view bytes) {
  text_.clear();
  for (const char byte : bytes) {
    if (half_.empty()) {
      half_ += byte;
      continue;
    }
    const auto first = static_cast<unsigned char>(half_.front());
    const auto second = static_cast<unsigned char>(byte);
    half_.clear();
    const char32_t unit =
        encoding_ == Encoding::kLittleEndian ? first | (second << 8U) : second | (first << 8U);
    if (!take_unit(unit)) return refused(in_line() + "a surrogate of UTF-16 is alone");
  }
  return std::string_view(text_);
}

bool TextfileDecoder::take_unit(char32_t unit) {
  if (surrogate_ != 0) {
    if (!is_second_half(unit)) return false;
    append_utf8(text_, 0x10000 + ((surrogate_ - 0xD800) << 10) + (unit - 0xDC00));
    surrogate_ = 0;
    return true;
  }
  if (is_second_half(unit)) return false;
  if (is_first_half(unit)) {
    surrogate_ = unit;
    return true;
  }
  append_utf8(text_, unit);
  if (unit == '\n') ++line_;
  return true;
}

std::string TextfileDecoder::in_line() const { return "line " + std::to_string(line_) + ": "; }

}  // namespace winperf
