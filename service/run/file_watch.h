// Detects that a file has changed and is no longer being written to.
//
// Compares the time of the last write and the size, which also works on shared folders, and however
// an editor or a deployment tool replaces the file. A file that has disappeared has changed, too.
// Thread rule: one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace winperf {

// What tells that a file has changed: the time of the last write, as exactly as the file system has
// it, and the size. Links are followed. win/ and posix/ implement it: of std::filesystem, GCC's for
// Windows knows whole seconds only. Thread rule: any thread.
struct FileMark {
  bool exists = false;
  std::int64_t written = 0;  // in the system's units
  std::uint64_t bytes = 0;
  bool operator==(const FileMark&) const = default;
};

// A file that can't be looked at doesn't exist.
FileMark mark_of(const std::filesystem::path& file);

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
