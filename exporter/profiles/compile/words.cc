#include "exporter/profiles/compile/words.h"

#include <algorithm>

namespace winperf::tables {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_of_name(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z') || c == '_' || is_digit(c); }

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

bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word) || !text.substr(word.size()).starts_with(' ')) return false;
  text = stripped(text.substr(word.size()));
  return true;
}

bool is_word(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return is_lower(c) || c == '_'; });
}

bool is_name(std::string_view text) {
  return !text.empty() && !is_digit(text.front()) && std::ranges::all_of(text, is_of_name);
}

bool is_number(std::string_view text) {
  return !text.empty() && is_digit(text.front()) && std::ranges::count(text, '.') <= 1 &&
         std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
}

bool is_whole_number(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
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

}  // namespace winperf::tables
