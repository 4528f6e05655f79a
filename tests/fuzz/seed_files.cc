#include "tests/fuzz/seed_files.h"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/fuzz/fuzz_target.h"

namespace winperf::fuzz {

bool wrote_seeds(std::string_view argument) {
  constexpr std::string_view kOption = "--write-seeds=";
  if (!argument.starts_with(kOption)) return false;
  const std::filesystem::path folder = argument.substr(kOption.size());
  std::filesystem::create_directories(folder);
  const auto inputs = seeds();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::ofstream file(folder / ("seed-" + std::to_string(i)), std::ios::binary);
    file.write(reinterpret_cast<const char*>(inputs[i].data()),
               static_cast<std::streamsize>(inputs[i].size()));
    file.close();
    require(file.good(), "a seed can be written");
  }
  std::printf("%zu seeds in %s\n", inputs.size(), folder.string().c_str());
  return true;
}

}  // namespace winperf::fuzz
