// Where recorded performance data is, which is not part of the repository: the directory named by
// the environment variable WINPERF_CAPTURES, or ../shared/captures beside the source tree.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

namespace winperf::testing {

// Empty if neither place is a folder.
std::optional<std::filesystem::path> captures_folder();

// The whole file; fails the test and is empty where it cannot be read.
std::vector<std::byte> read_file(const std::filesystem::path& path);

// All files of the capture directory that hold a V1 block, by name.
std::vector<std::filesystem::path> block_files(const std::filesystem::path& capture);

// Base of the tests that need recorded data; skips them, with a message, if there is none.
class CaptureTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto folder = captures_folder();
    if (!folder)
      GTEST_SKIP() << "NO RECORDED DATA: set WINPERF_CAPTURES to the directory of the captures";
    captures_ = *folder;
  }

  std::filesystem::path captures_;
};

}  // namespace winperf::testing
