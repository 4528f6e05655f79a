#include "service/run/file_watch.h"

#include <utility>

namespace winperf {

FileWatch::FileWatch(std::filesystem::path path) : path_(std::move(path)), seen_(mark()) {}

bool FileWatch::settled_change() {
  const FileMark now = mark();
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

FileMark FileWatch::mark() const {
  if (path_.empty()) return {};
  return mark_of(path_);
}

}  // namespace winperf
