#include "tests/service/run/temp_folder.h"

#include <fstream>
#include <iterator>
#include <random>

namespace winperf::testing {

TempFolder::TempFolder() {
  std::random_device random;
  do {
    path_ = std::filesystem::temp_directory_path() / ("winperf-run-" + std::to_string(random()));
  } while (!std::filesystem::create_directory(path_));
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::size_t TempFolder::files() const {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
}

std::string TempFolder::read(const std::string& file) const {
  std::ifstream stream(path_ / file);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace winperf::testing
