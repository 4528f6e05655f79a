// Changes one key of a configuration text where it stands. Comments, the order of the keys, line
// ends, quotes and everything else that a person has written stay as they are, byte by byte.
//
// The text before must be a valid configuration, and the text after is read again: it must be a
// valid one that differs in this key alone. A text in which that can't be done is refused and never
// damaged. Keys inside "countersets", and keys that hold a list, are not changed by this.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace winperf {

struct ConfigEdit {
  std::string text;                      // the whole text with the new value
  std::optional<std::string> old_value;  // without quotes; nothing where the text lacked the key
  bool operator==(const ConfigEdit&) const = default;
};

// `key` is a path such as "listen.port", `value` what it shall be, without quotes. A key that the
// text lacks is added to its section, and the section where that is missing as well. The error is
// one line for each thing that is wrong; `file_name` is what it calls the text.
std::expected<ConfigEdit, std::string> set_config_value(std::string_view text,
                                                        std::string_view file_name,
                                                        std::string_view key,
                                                        std::string_view value);

}  // namespace winperf
