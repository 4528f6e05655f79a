#include "tests/simulator/server/troubles.h"

#include <sstream>
#include <stdexcept>

namespace winperf::simulator {
namespace {

void replace_once(std::string& text, const std::string& old_text, const std::string& new_text) {
  const std::size_t at = text.find(old_text);
  if (at == std::string::npos || text.find(old_text, at + 1) != std::string::npos)
    throw std::out_of_range("not there just once: " + old_text);
  text.replace(at, old_text.size(), new_text);
}

}  // namespace

std::string in_health(Health health, std::string_view file, std::string_view text) {
  std::string result(text);
  if (health == Health::kWell) return result;
  std::istringstream troubles{std::string(server_troubles())};
  bool is_of_file = false;
  std::string old_text;
  for (std::string line; std::getline(troubles, line);) {
    if (line.starts_with("- ")) {
      old_text = line.substr(2);
    } else if (line.starts_with("+ ")) {
      if (is_of_file) replace_once(result, old_text, line.substr(2));
    } else if (!line.empty() && !line.starts_with('#')) {
      is_of_file = line == file;
    }
  }
  return result;
}

}  // namespace winperf::simulator
