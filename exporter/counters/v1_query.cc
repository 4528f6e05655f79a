#include "exporter/counters/v1_query.h"

#include <cstddef>

#include "exporter/counters/own_counters.h"

namespace winperf::own {
namespace {

// Without std::u16string_view, whose functions can throw.
struct QueryWord {
  const char16_t* begin;
  std::size_t length;
};

constexpr bool is_blank(char16_t unit) {
  return unit == u' ' || unit == u'\t' || unit == u'\r' || unit == u'\n';
}

constexpr char16_t lower_unit(char16_t unit) {
  return unit >= u'A' && unit <= u'Z' ? static_cast<char16_t>(unit + (u'a' - u'A')) : unit;
}

// Moves `text` behind the next word; at the end, the word is empty.
QueryWord next_word(const char16_t*& text) {
  while (is_blank(*text)) ++text;
  const QueryWord word{.begin = text, .length = 0};
  while (*text != 0 && !is_blank(*text)) ++text;
  return {.begin = word.begin, .length = static_cast<std::size_t>(text - word.begin)};
}

// `prefix` is lower case.
template <std::size_t size>
bool begins_with(const QueryWord& word, const char16_t (&prefix)[size]) {
  if (word.length < size - 1) return false;
  for (std::size_t i = 0; i < size - 1; ++i)
    if (lower_unit(word.begin[i]) != prefix[i]) return false;
  return true;
}
template <std::size_t size>
bool is_word(const QueryWord& word, const char16_t (&other)[size]) {
  return word.length == size - 1 && begins_with(word, other);
}

// Whether the word is a number of 32 bits.
bool read_index(const QueryWord& word, std::uint32_t& index) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < word.length; ++i) {
    const char16_t digit = word.begin[i];
    if (digit < u'0' || digit > u'9') return false;
    value = value * 10 + static_cast<std::uint64_t>(digit - u'0');
    if (value > UINT32_MAX) return false;
  }
  index = static_cast<std::uint32_t>(value);
  return word.length != 0;
}

}  // namespace

V1Query read_v1_query(const char16_t* text, std::uint32_t first_counter) {
  if (text == nullptr) return {.exporter = true, .countersets = true};
  QueryWord word = next_word(text);
  constexpr char16_t kV1Only[] = u"old_";
  if (begins_with(word, kV1Only)) {
    constexpr std::size_t kUnits = sizeof kV1Only / sizeof kV1Only[0] - 1;
    word = {.begin = word.begin + kUnits, .length = word.length - kUnits};
  }
  if (is_word(word, u"global")) return {.exporter = true, .countersets = true};
  if (is_word(word, u"metadataglobal"))
    return {.exporter = true, .countersets = true, .metadata = true};
  V1Query query;
  // Another machine's indices follow, and nothing here is costly.
  if (is_word(word, u"foreign") || is_word(word, u"costly") || is_word(word, u"metadatacostly"))
    return query;
  for (; word.length != 0; word = next_word(text)) {
    std::uint32_t index = 0;
    if (!read_index(word, index)) continue;
    query.exporter |= index == first_counter + title_offset(kExporterObject);
    query.countersets |= index == first_counter + title_offset(kCountersetObject);
  }
  return query;
}

}  // namespace winperf::own
