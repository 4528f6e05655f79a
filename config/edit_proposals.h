// The places of a configuration text where a new value of a key may be written, and how: in the
// style of what a person has written there. Only parsing the result shows whether one of them
// leaves everything else alone. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "config/document.h"
#include "config/options.h"

namespace winperf {

// The text that replaces `length` bytes at `offset`.
struct Splice {
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string text;
};

// "listen", "web" and so on: a key of each section, and the option's own.
std::vector<std::string_view> keys_of(const Option& option);

// The innermost of the option's sections that the text has, and how many keys lead to it.
struct Innermost {
  const Node* section = nullptr;
  std::size_t depth = 0;
};

Innermost innermost_of(const Node& root, const Option& option);

// The ways to write the new value, the best-looking one first. `value`: as it is written in a file.
std::vector<Splice> proposals(std::string_view text, const Node& root, const Option& option,
                              std::string value);

}  // namespace winperf
