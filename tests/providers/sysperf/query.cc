#include "tests/providers/sysperf/query.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace sysperf {
namespace {

constexpr std::wstring_view kBlanks = L" \t\r\n";

bool same_word(std::wstring_view a, std::wstring_view b) {
  return a.size() == b.size() && _wcsnicmp(a.data(), b.data(), a.size()) == 0;
}

std::optional<DWORD> parse_index(std::wstring_view digits) {
  ULONGLONG value = 0;
  for (const wchar_t digit : digits) {
    if (digit < L'0' || digit > L'9') return std::nullopt;
    value = value * 10 + static_cast<ULONGLONG>(digit - L'0');
    if (value > MAXDWORD) return std::nullopt;
  }
  return static_cast<DWORD>(value);
}

// Removes the next word from the text and returns it; returns an empty word at the end.
std::wstring_view next_word(std::wstring_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  const std::wstring_view word = text.substr(0, text.find_first_of(kBlanks));
  text.remove_prefix(word.size());
  return word;
}

}  // namespace

Query Query::parse(const wchar_t* text) {
  Query query;
  std::wstring_view rest = text == nullptr ? L"Global" : text;
  std::wstring_view word = next_word(rest);
  if (same_word(word, L"Foreign")) return query;  // another machine's indices follow

  constexpr std::wstring_view kV1Only = L"OLD_";
  if (same_word(word.substr(0, kV1Only.size()), kV1Only)) word.remove_prefix(kV1Only.size());
  query.metadata_only_ = same_word(word, L"MetadataGlobal");
  query.everything_ = query.metadata_only_ || same_word(word, L"Global");
  if (query.everything_) return query;

  for (; !word.empty(); word = next_word(rest)) {
    if (const auto index = parse_index(word)) query.indices_.push_back(*index);
  }
  return query;
}

bool Query::wants(DWORD object_index) const {
  return everything_ || std::ranges::find(indices_, object_index) != indices_.end();
}

}  // namespace sysperf
