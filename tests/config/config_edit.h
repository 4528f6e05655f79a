// One change of a configuration text. Thread rule: any thread.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "config/edit.h"

namespace winperf {

struct ConfigEdit {
  std::string text;
  std::optional<std::string> old_value;
  bool operator==(const ConfigEdit&) const = default;
};

inline std::expected<ConfigEdit, std::string> set_config_value(std::string_view text,
                                                               std::string_view file_name,
                                                               std::string_view key,
                                                               std::string_view value) {
  const ConfigChange change{.key = std::string(key), .value = std::string(value)};
  const auto edits = set_config_values(text, file_name, {&change, 1});
  if (!edits) return std::unexpected(edits.error());
  return ConfigEdit{.text = edits->text, .old_value = edits->old_values.at(0)};
}

}  // namespace winperf
