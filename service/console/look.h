// How text looks on a terminal: how wide a table may be, and its colours. In a file or a pipe text
// is plain and complete. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

namespace winperf {

inline constexpr std::size_t kUnlimitedColumns = std::numeric_limits<std::size_t>::max();

struct Look {
  std::size_t columns = kUnlimitedColumns;
  bool has_colours = false;
};

// Of standard output. `is_wide`: tables are complete even on a terminal. Colours can be turned off
// with the variable NO_COLOR (https://no-color.org) or with TERM=dumb.
Look output_look(bool is_wide);

// Whether messages on standard error have colours.
bool has_error_colours();

enum class Colour {
  kRed,     // an error
  kYellow,  // a warning
  kGreen,   // good
};

std::string coloured(std::string_view text, Colour colour, bool has_colours);

}  // namespace winperf
