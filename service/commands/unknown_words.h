// What is wrong with the words of a command line, as the person who has typed them sees it: before
// the parser, which knows of missing commands first and of surplus words in reverse. Thread rule:
// one thread.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace winperf {

// A sentence for each command, option or argument that `program` does not have, in the order typed,
// with the one that was perhaps meant. Empty where everything is known, or where help is asked for.
std::vector<std::string> unknown_words(const CLI::App& program, std::span<const std::string> words);

}  // namespace winperf
