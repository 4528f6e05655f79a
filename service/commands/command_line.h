// The command line of winperf_exporter. Thread rule: the main thread.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "collectors/worker/worker.h"

namespace CLI {
class App;
}

namespace winperf {

struct RunOptions;
// Changes the options of `run`, for a program whose time doesn't pass as this machine's.
using PrepareRun = std::function<void(RunOptions&)>;

// Asks for completions, by a shell.
inline constexpr char kCompleteCommand[] = "complete";

// The command directly below `app`; null if there is none.
const CLI::App* find_command(const CLI::App& app, const std::string& name);

// Protects words of another program's command line, which follow "config migrate --", and those to
// be completed, which follow "complete FORM --". The parser would split "[a,b]" at the comma and
// strip its brackets, but it leaves a sealed word alone. Thread rule: pure functions.
std::vector<std::string> seal_words(std::vector<std::string> words);
// The original word; a word that isn't sealed is returned as is.
std::string unsealed(const std::string& word);

// Parses and runs the command line; returns the process's exit code. `origin`: of its workers
// (setup.h); none in a test's executable, which cannot be a worker.
int run_command_line(int argc, char** argv, const worker::WorkerOptions& origin = {},
                     const PrepareRun& prepare_run = {});
// The same with these words, which are UTF-8 and do not begin with the program's name.
int run_command_line(const std::vector<std::string>& words,
                     const worker::WorkerOptions& origin = {});

// A sentence for each command, option or argument that `program` does not have, in the order typed,
// with the one that was perhaps meant. Empty if everything is known, or help is requested. The
// parser itself would report missing commands first, and surplus words in reverse.
[[nodiscard]] std::vector<std::string> unknown_words(const CLI::App& program,
                                                     std::span<const std::string> words);

}  // namespace winperf
