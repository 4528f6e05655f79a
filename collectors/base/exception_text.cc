#include <filesystem>

#include "collectors/base/path_text.h"
#include "collectors/base/system_text.h"

namespace winperf {

std::string exception_text(const std::exception& error) {
  if (const auto* file = dynamic_cast<const std::filesystem::filesystem_error*>(&error))
    return path_text(file->path1()) + ": " + system_text(file->code());
  if (const auto* system = dynamic_cast<const std::system_error*>(&error))
    return system_text(system->code());
  return error.what();
}

}  // namespace winperf
