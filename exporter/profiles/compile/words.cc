#include "exporter/profiles/compile/words.h"

#include <algorithm>

namespace winperf::tables {
namespace {

constexpr std::string_view kLower = "abcdefghijklmnopqrstuvwxyz_";
constexpr std::string_view kName =
    "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
constexpr std::string_view kDigits = "0123456789";

bool has_only(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == text.npos;
}

}  // namespace

std::string_view stripped(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(separator); end != text.npos; end = text.find(separator)) {
    parts.push_back(stripped(text.substr(0, end)));
    text.remove_prefix(end + 1);
  }
  parts.push_back(stripped(text));
  return parts;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  const std::string_view rest = text.substr(word.size());
  if (!rest.empty() && rest.front() != ' ') return false;
  text = stripped(rest);
  return true;
}

bool is_word(std::string_view text) { return has_only(text, kLower); }

bool is_name(std::string_view text) {
  return has_only(text, kName) && !kDigits.contains(text.front());
}

bool is_number(std::string_view text) {
  const std::size_t point = std::min(text.find('.'), text.size());
  const std::string_view after = point < text.size() ? text.substr(point + 1) : "0";
  return has_only(text.substr(0, point), kDigits) && (after.empty() || has_only(after, kDigits));
}

std::optional<std::vector<Pair>> read_pairs(std::string_view text) {
  constexpr std::string_view kOpening = "=\"";
  std::vector<Pair> pairs;
  for (;;) {
    const std::size_t opening = text.find(kOpening);
    if (opening == text.npos || !is_name(text.substr(0, opening))) return std::nullopt;
    const std::size_t begin = opening + kOpening.size();
    const std::size_t end = text.find('"', begin);
    if (end == text.npos) return std::nullopt;
    pairs.push_back({text.substr(0, opening), text.substr(begin, end - begin)});
    text.remove_prefix(end + 1);
    if (text.empty()) return pairs;
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
}

std::string quoted(std::string_view text) {
  std::string literal = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '"';
}

std::string constant(std::string_view word) {
  std::string name = "k";
  bool begins = true;
  for (const char c : word) {
    if (c != '_') name += begins && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    begins = c == '_';
  }
  return name;
}

}  // namespace winperf::tables
