// What the tables' language, and the C++ that they become, need of texts. Thread rule: pure
// functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::tables {

std::string_view stripped(std::string_view text);
// The texts between separators, without blanks around them; one if there is no separator.
std::vector<std::string_view> split(std::string_view text, char separator);
// Whether the text begins with this word, which is then taken off.
bool take(std::string_view& text, std::string_view word);

// Letters in lower case and underscores.
bool is_word(std::string_view text);
// Letters, digits and underscores, without a digit at its beginning.
bool is_name(std::string_view text);
// Without a sign: 12 or 0.5.
bool is_number(std::string_view text);

struct Pair {
  std::string_view name;
  std::string_view value;
};
// name="value",name="value"; nothing if it is written otherwise. A value has no quotes.
std::optional<std::vector<Pair>> read_pairs(std::string_view text);

// As a literal of C++, or as several with a comma after each.
std::string quoted(std::string_view text);
std::string quoted_list(const auto& texts) {
  std::string items;
  for (const auto& text : texts) items += quoted(text) + ", ";
  return items;
}
// The constant's name of a word: service_status is kServiceStatus.
std::string constant(std::string_view word);

}  // namespace winperf::tables
