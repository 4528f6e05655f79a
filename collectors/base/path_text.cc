#include "collectors/base/path_text.h"

#include <exception>

#include "collectors/base/system_text.h"

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

std::string exception_text(const std::exception& error) {
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return path_text(file->path1()) + ": " + system_text(file->code());
  if (const auto* system = dynamic_cast<const std::system_error*>(&error))
    return system_text(system->code());
  return error.what();
}

}  // namespace winperf
