#include "tests/simulator/wildcard.h"

#include <cstddef>

#include "collectors/base/ascii.h"

namespace winperf::simulator {

bool matches_wildcard(std::u16string_view pattern, std::u16string_view text) {
  constexpr std::size_t kNone = std::u16string_view::npos;
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = kNone;     // the last `*`,
  std::size_t star_begins = 0;  // and where in the text what it stands for ends so far
  while (t < text.size()) {
    const bool same = p < pattern.size() &&
                      (pattern[p] == u'?' || ascii_lower(pattern[p]) == ascii_lower(text[t]));
    if (p < pattern.size() && pattern[p] == u'*') {
      star = p++;
      star_begins = t;
    } else if (same) {
      ++p;
      ++t;
    } else if (star != kNone) {
      p = star + 1;
      t = ++star_begins;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == u'*') ++p;
  return p == pattern.size();
}

}  // namespace winperf::simulator
