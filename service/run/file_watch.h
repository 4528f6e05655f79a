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

// Identifies a file's version: the time of the last write, in the file system's full resolution,
// and the size. Links are followed. win/ and posix/ implement it: of std::filesystem, GCC's for
// Windows knows whole seconds only. Thread rule: any thread.
struct FileMark {
  bool exists = false;
  std::int64_t written = 0;  // in the system's units
  std::uint64_t bytes = 0;
  bool operator==(const FileMark&) const = default;
};

// An inaccessible file counts as missing.
FileMark mark_of(const std::filesystem::path& file);

class FileWatch {
 public:
  // Without a path there is never a change.
  explicit FileWatch(std::filesystem::path path);

  // To be polled. True once for each change, when two polls in a row find the file the same.
  [[nodiscard]] bool settled_change();
  // Whether the last poll found a change that may not have settled.
  bool is_changing() const { return changing_.has_value(); }
  // Call it before reading the file: only later changes count.
  void seen();

 private:
  FileMark mark() const;

  std::filesystem::path path_;
  FileMark seen_;
  std::optional<FileMark> changing_;
};

}  // namespace winperf
