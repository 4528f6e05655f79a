// The V1 blocks of a recorded machine, in the order of the recording; none without recorded data.
// Thread rule: any thread.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/block_builder.h"

namespace winperf::testing {

inline std::vector<ByteVector> capture_blocks() {
  const char* const folder = std::getenv("WINPERF_CAPTURES");
  std::vector<std::filesystem::path> files;
  std::error_code none;
  if (folder != nullptr)
    for (const auto& entry :
         std::filesystem::directory_iterator(std::filesystem::path(folder) / "vista-6000", none))
      if (entry.path().extension() == ".perf") files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<ByteVector> blocks;
  for (const auto& file : files) {
    std::ifstream in(file, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    ByteVector& block = blocks.emplace_back(text.size());
    std::ranges::transform(text, block.begin(), [](char c) { return static_cast<std::byte>(c); });
  }
  return blocks;
}

}  // namespace winperf::testing
