// A line on standard error about what a command is doing. It appears only on a terminal, and only
// if the command takes more than two seconds; the next text takes its place, and the end removes
// it. Nothing else should be written while it lives. Thread rule: one thread. Create it after
// StopSignal.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace winperf {

class ProgressLine {
 public:
  // `text`: what is being done, such as "reading Memory"; may be foreign.
  explicit ProgressLine(std::string text);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  void show(std::string text);

 private:
  void write_lines();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string text_;
  bool is_new_ = true;
  bool has_ended_ = false;
  std::thread writer_{};
};

}  // namespace winperf
