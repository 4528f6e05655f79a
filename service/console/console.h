// The console that the program was started at. Command line and output are UTF-8, independent of
// the console's code page. win/console.cc replaces the stream buffers of std::cout and std::cerr
// while Utf8Console lives, so that each UTF-8 character reaches the console whole; posix/ changes
// nothing.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace winperf {

// The words of the command line, without the program's name.
std::vector<std::string> command_line_words(int argc, char** argv);

// While this object lives, a Windows console shows the UTF-8 that std::cout and std::cerr receive.
// Output to a file or a pipe is not changed, and neither is the console's code page, which other
// programs share. There may be one object at a time. Thread rule: any thread may write.
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
