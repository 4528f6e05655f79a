// A folder of its own, which goes with the object. Thread rule: as for the standard library.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace winperf::testing {

class TempFolder {
 public:
  TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  ~TempFolder();

  const std::filesystem::path& path() const { return path_; }
  std::size_t files() const;
  std::string read(const std::string& file) const;

 private:
  std::filesystem::path path_;
};

}  // namespace winperf::testing
