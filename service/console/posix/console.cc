#include "service/console/console.h"

namespace winperf {

std::vector<std::string> command_line_words(int argc, char** argv) {
  if (argc < 2) return {};
  return {argv + 1, argv + argc};
}

// Terminals take UTF-8 as it is.
struct Utf8Console::Streams {};
Utf8Console::Utf8Console() = default;
Utf8Console::~Utf8Console() = default;

}  // namespace winperf
