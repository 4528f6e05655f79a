// The console that the program was started at: words come from it and texts go to it as UTF-8,
// whatever its code page is.
#pragma once

#include <string>
#include <vector>

namespace winperf {

// The program's words, without its name.
std::vector<std::string> command_line_words(int argc, char** argv);

// As long as it lives, the console takes the program's output for UTF-8. Afterwards, and where
// Ctrl-C or end_at_once() ends the program, it has its own code page back. One at a time, on any
// thread.
class Utf8Console {
 public:
  Utf8Console();
  Utf8Console(const Utf8Console&) = delete;
  Utf8Console& operator=(const Utf8Console&) = delete;
  ~Utf8Console();
};

// Ends the process without waiting for its threads.
[[noreturn]] void end_at_once(int exit_code);

}  // namespace winperf
