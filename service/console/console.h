// The console that the program was started at: words come from it and texts go to it as UTF-8,
// whatever its code page is.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace winperf {

// The program's words, without its name.
std::vector<std::string> command_line_words(int argc, char** argv);

// As long as it lives, a Windows console shows what std::cout and std::cerr are given as the UTF-8
// that it is. What goes to a file or a pipe stays as it is. Its code page, which other programs
// share, is left alone. One at a time; what is written may come from any thread.
class Utf8Console {
 public:
  Utf8Console();
  Utf8Console(const Utf8Console&) = delete;
  Utf8Console& operator=(const Utf8Console&) = delete;
  ~Utf8Console();

 private:
  struct Streams;
  std::unique_ptr<Streams> streams_;
};

}  // namespace winperf
