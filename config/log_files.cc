#include "config/log_files.h"

#include <system_error>

#include "collectors/base/ascii.h"
#include "collectors/base/path_text.h"

namespace winperf {

namespace fs = std::filesystem;

fs::path log_file_of(const LogConfig& config, const fs::path& config_file) {
  return config_file.parent_path() / path_of(config.file);
}

fs::path captures_folder_of(const CapturesConfig& config, const fs::path& config_file) {
  return config_file.parent_path() / path_of(config.folder);
}

fs::path full_log_file(const fs::path& file, std::size_t number) {
  fs::path name = file;
  name.replace_extension();
  name += '.' + std::to_string(number);
  name += file.extension();
  return name;
}

std::optional<std::string> why_it_overwrites_config(const LogConfig& config,
                                                    const fs::path& config_file, SameFile is_same) {
  if (config.file.empty() || config_file.empty()) return std::nullopt;
  const fs::path file = log_file_of(config, config_file);
  if (is_same(file, config_file)) return "it is the configuration file itself; name another file";
  if (is_same(full_log_file(file, 0), config_file))
    return "a new log file begins under the name of the configuration file; name another file";
  for (std::size_t number = 1; number <= config.max_files; ++number)
    if (is_same(full_log_file(file, number), config_file))
      return "full log file " + std::to_string(number) +
             " would be the configuration file itself; name another file";
  return std::nullopt;
}

bool same_name(const fs::path& a, const fs::path& b) {
  const auto text = [](const fs::path& path) {
    std::error_code error;  // there is no current folder
    const fs::path whole = fs::absolute(path, error);
    return path_text((error ? path : whole).lexically_normal());
  };
  return equal_names(text(a), text(b));
}

}  // namespace winperf
