// Finds unknown words in a command line, in the order in which they were typed. The parser itself
// would report missing commands first, and surplus words in reverse. Thread rule: one thread.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace winperf {

// A sentence for each command, option or argument that `program` does not have, in the order typed,
// with the one that was perhaps meant. Empty if everything is known, or help is requested.
[[nodiscard]] std::vector<std::string> unknown_words(const CLI::App& program,
                                                     std::span<const std::string> words);

}  // namespace winperf
