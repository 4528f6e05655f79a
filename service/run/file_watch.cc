#include "service/run/file_watch.h"

#include <system_error>
#include <utility>

namespace winperf {

FileWatch::FileWatch(std::filesystem::path path) : path_(std::move(path)), seen_(mark()) {}

bool FileWatch::settled_change() {
  const Mark now = mark();
  if (now == seen_) {
    changing_.reset();
    return false;
  }
  if (changing_ != now) {
    changing_ = now;
    return false;
  }
  seen();
  return true;
}

void FileWatch::seen() {
  seen_ = mark();
  changing_.reset();
}

FileWatch::Mark FileWatch::mark() const {
  if (path_.empty()) return {};
  std::error_code error;
  Mark mark;
  mark.written = std::filesystem::last_write_time(path_, error);
  if (error) return {};
  mark.bytes = std::filesystem::file_size(path_, error);
  mark.exists = !error;
  return error ? Mark{} : mark;
}

}  // namespace winperf
