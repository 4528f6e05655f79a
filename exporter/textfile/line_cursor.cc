#include "exporter/textfile/line_cursor.h"

#include <algorithm>

#include "collectors/base/ascii.h"
#include "collectors/base/printable.h"
#include "collectors/base/utf8.h"
#include "exporter/textfile/textfile_family.h"

namespace winperf {
namespace {

constexpr std::size_t kShownBytes = 40;
constexpr std::string_view kBlanks = " \t";

bool begins_name(char c, bool has_colons) {
  return is_letter(c) || c == '_' || (has_colons && c == ':');
}

}  // namespace

std::string shown_text(std::string_view text) {
  const auto cut = text.substr(0, kShownBytes);
  const bool is_whole = cut.size() == text.size();
  const auto shown = is_whole ? cut : cut.substr(0, valid_bytes(cut));
  return '"' + printable(shown) + (is_whole ? "\"" : "...\"");
}

std::expected<char, std::string> unescaped(std::string_view text) {
  const auto pair = text.substr(0, 2);
  if (pair == "\\\\") return '\\';
  if (pair == "\\\"") return '"';
  if (pair == "\\n") return '\n';
  const auto bytes = text.size() < 2 ? 1 : 1 + next_character(text.substr(1)).bytes;
  return std::unexpected("this is no escape sequence: " + shown_text(text.substr(0, bytes)) +
                         ": write two backslashes for one");
}

std::string_view without_blanks_behind(std::string_view text) {
  const auto last = text.find_last_not_of(kBlanks);
  return text.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::string LineCursor::shown() const {
  return at_end() ? "the end of the line" : shown_text(rest_);
}

void LineCursor::skip_blanks() {
  rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size()));
}

bool LineCursor::take(char c) {
  if (!at(c)) return false;
  skip(1);
  return true;
}

std::string_view LineCursor::take_word() {
  const auto word = rest_.substr(0, rest_.find_first_of(kBlanks));
  skip(word.size());
  return word;
}

std::expected<std::string_view, std::string> LineCursor::take_metric_name() {
  return take_name("metric", true);
}

std::expected<std::string_view, std::string> LineCursor::take_label_name() {
  return take_name("label", false);
}

std::expected<std::string_view, std::string> LineCursor::take_name(std::string_view of,
                                                                   bool has_colons) {
  std::size_t bytes = 0;
  while (bytes < rest_.size() &&
         (begins_name(rest_[bytes], has_colons) || (bytes > 0 && is_digit(rest_[bytes]))))
    ++bytes;
  if (bytes == 0) {
    return std::unexpected("the name of a " + std::string(of) + " begins with a letter or _" +
                           ", not with " + shown());
  }
  if (bytes > kMaxTextfileNameBytes) {
    return std::unexpected("the name of a " + std::string(of) + " is longer than " +
                           std::to_string(kMaxTextfileNameBytes) + " bytes");
  }
  const auto name = rest_.substr(0, bytes);
  skip(bytes);
  return name;
}

}  // namespace winperf
