// What this process holds of the system's, as /proc says. Thread rule: any thread.
#pragma once

#include <cstddef>
#include <filesystem>

namespace winperf::soak {

struct Measures {
  double resident_mib = 0;
  std::size_t descriptors = 0;
  std::size_t threads = 0;
  std::size_t children = 0;  // processes, also those that nobody has waited for
};
Measures measure();

// Of all files in a folder.
struct FolderSize {
  std::size_t files = 0;
  std::uintmax_t bytes = 0;
};
FolderSize size_of(const std::filesystem::path& folder);

}  // namespace winperf::soak
