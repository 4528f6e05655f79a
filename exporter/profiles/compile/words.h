// What the language of the tables needs of texts. Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winperf::tables {

std::string_view stripped(std::string_view text);
// The texts between separators, without blanks around them; one if there is no separator.
std::vector<std::string_view> split(std::string_view text, char separator);
// Whether the text begins with the word and a blank, both of which are then taken off.
bool take_word(std::string_view& text, std::string_view word);

// Letters in lower case and underscores.
bool is_word(std::string_view text);
// Letters, digits and underscores, without a digit at its beginning.
bool is_name(std::string_view text);
// Without a sign: 12 or 0.5.
bool is_number(std::string_view text);
bool is_whole_number(std::string_view text);

struct Pair {
  std::string_view name;
  std::string_view value;
};
// name="value",name="value"; nothing if it is written otherwise. A value has no quotes.
std::optional<std::vector<Pair>> read_pairs(std::string_view text);

}  // namespace winperf::tables
