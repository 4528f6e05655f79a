// Text from the system into valid UTF-8: whatever is not, becomes U+FFFD.
// A run of bytes that starts a character and does not finish it counts as one, as browsers do.
// Source: Unicode Standard 3.9, table 3-7 (well-formed byte sequences).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace winperf {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";

struct Utf8Step {
  std::size_t bytes = 0;  // at least 1
  bool valid = false;     // a whole well-formed character
};

// What `text` begins with; `text` must not be empty.
Utf8Step next_character(std::string_view text);

}  // namespace winperf
