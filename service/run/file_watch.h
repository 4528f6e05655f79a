// Detects that a file has changed and is no longer being written to.
//
// Compares the time of the last write and the size, which also works on shared folders, and however
// an editor or a deployment tool replaces the file. A file that has disappeared has changed, too.
// Thread rule: one thread.
#pragma once

#include <filesystem>
#include <optional>

#include "service/run/file_mark.h"

namespace winperf {

class FileWatch {
 public:
  // Without a path there is never a change.
  explicit FileWatch(std::filesystem::path path);

  // To be polled. True once for each change, when two polls in a row find the file the same.
  [[nodiscard]] bool settled_change();
  // The file is about to be read: only later changes count.
  void seen();

 private:
  FileMark mark() const;

  std::filesystem::path path_;
  FileMark seen_;
  std::optional<FileMark> changing_;
};

}  // namespace winperf
