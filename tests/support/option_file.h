// A configuration as JSON, and an option of the table in it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace winperf::testing {

// `path`: such as "listen.port"; "countersets[].path" is that of the file's first counterset.
inline nlohmann::json with_option(nlohmann::json file, std::string_view path,
                                  const nlohmann::json& value) {
  nlohmann::json* section = &file;
  if (constexpr std::string_view kEntry = "countersets[]."; path.starts_with(kEntry)) {
    section = &file["countersets"][0];
    if (path == "countersets[].except") (*section)["name"] = "*";  // only a pattern has it
    // It says what another option does.
    if (path == "countersets[].instances.by") (*section)["instances"]["max"] = 1;
    path.remove_prefix(kEntry.size());
  }
  for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.')) {
    section = &(*section)[std::string(path.substr(0, dot))];
    path.remove_prefix(dot + 1);
  }
  (*section)[std::string(path)] = value;
  return file;
}

}  // namespace winperf::testing
