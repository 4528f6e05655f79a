#include "tests/support/captures.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace winperf::testing {

std::optional<std::filesystem::path> captures_folder() {
  const char* const named = std::getenv("WINPERF_CAPTURES");
  const std::filesystem::path folder =
      named != nullptr ? named : std::filesystem::path(WINPERF_SOURCE_DIR) / "../shared/captures";
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) return std::nullopt;
  return folder;
}

std::vector<std::byte> read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file) << path;
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const auto* const first = reinterpret_cast<const std::byte*>(content.data());
  return {first, first + content.size()};
}

std::vector<std::filesystem::path> block_files(const std::filesystem::path& capture) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(capture))
    if (entry.path().extension() == ".perf") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace winperf::testing
