#include "service/console/look.h"

#include "service/console/terminal.h"

namespace winperf {
namespace {

std::string_view sequence_of(Colour colour) {
  switch (colour) {
    case Colour::kRed:
      return "\x1b[31m";
    case Colour::kYellow:
      return "\x1b[33m";
    case Colour::kGreen:
      return "\x1b[32m";
  }
  return {};
}

}  // namespace

Look output_look(bool is_wide) {
  const auto terminal = terminal_size();
  if (!terminal) return {};
  return {.columns = is_wide ? kUnlimitedColumns : terminal->columns,
          .has_colours = are_colours_wanted()};
}

bool has_error_colours() { return is_error_terminal() && are_colours_wanted(); }

std::string coloured(std::string_view text, Colour colour, bool has_colours) {
  if (!has_colours || text.empty()) return std::string(text);
  return std::string(sequence_of(colour)) + std::string(text) + "\x1b[0m";
}

}  // namespace winperf
