// A text that a test waits for in what it receives piece by piece. Each piece is searched once:
// looking through everything again for each one takes minutes with an answer of many megabytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace winperf::testing {

class AwaitedText {
 public:
  // An empty text never comes.
  explicit AwaitedText(std::string_view text) : text_(text) {}

  // `received`: all of it, which only grows from call to call.
  bool is_in(std::string_view received) {
    if (text_.empty()) return false;
    const bool found = received.find(text_, searched_) != received.npos;
    // The next piece may end what this one begins.
    searched_ = received.size() - std::min(received.size(), text_.size() - 1);
    return found;
  }

 private:
  const std::string_view text_;
  std::size_t searched_ = 0;
};

}  // namespace winperf::testing
