#include "service/selftest/found_programs.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace winperf::selftest {
namespace {

std::vector<std::filesystem::path> in_path(std::initializer_list<const char*> names) {
  std::vector<std::filesystem::path> found;
  const char* const path = std::getenv("PATH");
  for (const char* const name : names)
    for (std::string_view rest = path == nullptr ? "" : path; !rest.empty();) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      const std::filesystem::path file = std::filesystem::path(rest.substr(0, end)) / name;
      if (access(file.c_str(), X_OK) == 0) found.push_back(file);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  return found;
}

}  // namespace

std::vector<std::filesystem::path> found_browsers() {
  return in_path({"chromium", "chromium-browser", "google-chrome", "microsoft-edge"});
}

std::vector<std::filesystem::path> found_powershells() { return in_path({"pwsh"}); }

// The superuser of a container has no sandbox.
std::vector<std::string> browser_words() {
  return geteuid() == 0 ? std::vector<std::string>{"--no-sandbox"} : std::vector<std::string>();
}

}  // namespace winperf::selftest
