#include "service/console/progress_line.h"

#include <chrono>
#include <iostream>
#include <utility>

#include "collectors/base/printable.h"
#include "service/console/terminal.h"
#include "service/console/text_columns.h"

namespace winperf {
namespace {

constexpr std::chrono::seconds kQuietTime{2};
constexpr char kClearedLine[] = "\r\x1b[K";

}  // namespace

ProgressLine::ProgressLine(std::string text) : text_(std::move(text)) {
  if (is_error_terminal()) writer_ = std::thread([this] { write_lines(); });
}

ProgressLine::~ProgressLine() {
  if (!writer_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    has_ended_ = true;
  }
  changed_.notify_one();
  writer_.join();
}

void ProgressLine::show(std::string text) {
  {
    const std::lock_guard lock(mutex_);
    text_ = std::move(text);
    is_new_ = true;
  }
  changed_.notify_one();
}

void ProgressLine::write_lines() {
  std::unique_lock lock(mutex_);
  if (changed_.wait_for(lock, kQuietTime, [this] { return has_ended_; })) return;
  // The last column stays empty, so that the cursor stays in this line.
  const std::size_t columns = terminal_size().value_or(TerminalSize()).columns - 1;
  while (!has_ended_) {
    if (std::exchange(is_new_, false))
      std::cerr << kClearedLine + fitted(printable(text_), columns) << std::flush;
    changed_.wait(lock, [this] { return has_ended_ || is_new_; });
  }
  std::cerr << kClearedLine << std::flush;
}

}  // namespace winperf
