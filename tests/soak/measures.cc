#include "tests/soak/measures.h"

#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

namespace winperf::soak {
namespace {

namespace fs = std::filesystem;

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), {}));
}

}  // namespace

Measures measure() {
  Measures now;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages >> pages;
  now.resident_mib =
      static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1024.0 * 1024.0);
  now.descriptors = entries("/proc/self/fd") - 1;  // without the one that reads them
  now.threads = entries("/proc/self/task");
  for (const auto& task : fs::directory_iterator("/proc/self/task")) {
    std::ifstream children(task.path() / "children");
    now.children +=
        static_cast<std::size_t>(std::distance(std::istream_iterator<std::string>(children), {}));
  }
  return now;
}

FolderSize size_of(const fs::path& folder) {
  FolderSize size;
  for (const auto& file : fs::directory_iterator(folder)) {
    ++size.files;
    size.bytes += file.file_size();
  }
  return size;
}

}  // namespace winperf::soak
