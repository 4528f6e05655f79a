#include "collectors/base/path_text.h"

#include <exception>

namespace winperf {

std::filesystem::path path_of(std::string_view utf8) {
  return std::u8string(utf8.begin(), utf8.end());
}

// u8string() throws on a Windows name that is not valid UTF-16.
std::string path_text(const std::filesystem::path& path) {
  try {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
  } catch (const std::exception&) {
    return "(a name that is not valid Unicode)";
  }
}

}  // namespace winperf
