// Text files that are accepted. The reference parser accepts most of them, too.
#pragma once

#include <string>
#include <vector>

namespace winperf::testing {

struct AcceptedFile {
  std::string content;
  std::string page;              // in the text format
  bool is_more_lenient = false;  // than the reference parser
};

std::vector<AcceptedFile> accepted_files();

}  // namespace winperf::testing
