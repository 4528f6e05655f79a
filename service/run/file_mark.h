// What tells that a file has changed: the time of the last write, as exactly as the file system has
// it, and the size. Links are followed. win/ and posix/ implement it: of std::filesystem, GCC's for
// Windows knows whole seconds only. Thread rule: any thread.
#pragma once

#include <cstdint>
#include <filesystem>

namespace winperf {

struct FileMark {
  bool exists = false;
  std::int64_t written = 0;  // in the system's units
  std::uint64_t bytes = 0;
  bool operator==(const FileMark&) const = default;
};

// A file that can't be looked at doesn't exist.
FileMark mark_of(const std::filesystem::path& file);

}  // namespace winperf
