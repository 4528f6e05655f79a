// Text files that are refused, with the reason. The reference parser refuses most of them, too.
#pragma once

#include <string>
#include <vector>

namespace winperf::testing {

struct RefusedFile {
  std::string content;
  std::string sentence;
  // What the reference parser leaves to others, or overlooks.
  bool is_stricter = false;
};

std::vector<RefusedFile> refused_files();

}  // namespace winperf::testing
