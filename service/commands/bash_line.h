// A line of a bash prompt as completion sees it: the words that bash would pass, and how to write a
// word so that bash reads it as it is. Not parsed: expansions and $'...', which completion takes
// literally. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

// Words that lack their end, such as \Process(, leave a quotation open.
struct BashLine {
  std::vector<std::string> words{};  // the last one is being typed, and may be empty
  char quote = 0;                    // the quotation mark that is open in it; 0: none
  std::size_t kept = 0;              // how much of it bash keeps when it inserts a completion
};

// The line up to the cursor. The program's name is not one of the words.
BashLine parse_bash_line(std::string_view line);

// What bash inserts to make `word` of the last word of the line.
std::string bash_completion(const BashLine& line, std::string_view word);

}  // namespace winperf
