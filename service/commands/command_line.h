// The command line of winperf_exporter. Thread rule: the main thread.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "collectors/worker/worker.h"

namespace CLI {
class App;
}

namespace winperf {

// Words of another program's command line among those of this one: what follows "--" behind
// "config migrate". The library that takes our words apart would divide "[a,b]" at its comma and
// take its brackets away. It leaves a sealed word alone. Thread rule: pure functions.
std::vector<std::string> seal_words(std::vector<std::string> words);
// As it was before; a word that isn't sealed stays as it is.
std::string unsealed(const std::string& word);

// Parses and runs the words of the command line; returns the process' exit code. `origin`: of its
// workers, as setup.h says. A test's executable, which is no worker, gives none.
int run_command_line(int argc, char** argv, const worker::WorkerOptions& origin = {});
// The same with these words, which are UTF-8 and do not begin with the program's name.
int run_command_line(const std::vector<std::string>& words,
                     const worker::WorkerOptions& origin = {});

// A sentence for each command, option or argument that `program` does not have, in the order typed,
// with the one that was perhaps meant. Empty if everything is known, or help is requested. The
// parser itself would report missing commands first, and surplus words in reverse.
[[nodiscard]] std::vector<std::string> unknown_words(const CLI::App& program,
                                                     std::span<const std::string> words);

}  // namespace winperf
