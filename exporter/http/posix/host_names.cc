#include "exporter/http/host_names.h"

#include <unistd.h>

#include <array>

namespace winperf {

std::vector<std::string> names_of_this_machine() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return {};
  std::vector<std::string> names{name.data()};
  // The name may have its domain or not.
  if (const std::size_t dot = names.front().find('.'); dot != std::string::npos)
    names.push_back(names.front().substr(0, dot));
  return names;
}

}  // namespace winperf
