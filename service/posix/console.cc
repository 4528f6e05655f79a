#include "service/console.h"

#include <cstdlib>

namespace winperf {

std::vector<std::string> command_line_words(int argc, char** argv) {
  if (argc < 2) return {};
  return {argv + 1, argv + argc};
}

// A terminal takes bytes.
Utf8Console::Utf8Console() = default;
Utf8Console::~Utf8Console() = default;

void end_at_once(int exit_code) { std::_Exit(exit_code); }

}  // namespace winperf
