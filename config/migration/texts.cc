#include "config/migration/texts.h"

#include "config/perfmon_path.h"

namespace winperf::migration {

std::string path_pattern(std::string_view name) { return "(?i)" + pattern_of_name(name); }

std::string of_its_line(std::string_view text, const TextError& error) {
  const std::size_t line = position_of(text, error.offset).line;
  return "in its line " + std::to_string(line) + ", " + error.message;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    std::string_view part = text.substr(0, end);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    if (!part.empty()) parts.emplace_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace winperf::migration
