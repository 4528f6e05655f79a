// What this build is, as the build info metric and /version tell it.
#pragma once

#include <string>

namespace winperf {

struct BuildInfo {
  std::string version;
  std::string revision;
  std::string compiler;
  std::string os;
  std::string arch;
};

}  // namespace winperf
