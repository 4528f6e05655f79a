// Changes keys of a configuration text in place. Comments, the order of the keys, line endings,
// quotes and everything else that a person has written stay as they are, byte for byte.
//
// The old text must be a valid configuration. The new text is parsed, too: it must be a valid
// configuration that differs in these keys only. If that is impossible, the edit is refused. Keys
// inside lists of objects, such as "countersets", and those of "listen" if that is a list can't be
// changed. A list of words, such as metrics.profiles, is changed as a whole, and refused if a
// comment is in it. Thread rule: any thread.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

struct ConfigEdit {
  std::string text;                      // the whole text with the new value
  std::optional<std::string> old_value;  // without quotes; nothing if the text lacked the key
  bool operator==(const ConfigEdit&) const = default;
};

struct ConfigChange {
  std::string key;    // as below
  std::string value;  // the same
};

struct ConfigEdits {
  std::string text{};
  std::vector<std::optional<std::string>> old_values{};  // of each change
};

// Several changes in their order, of which one alone may not be valid.
[[nodiscard]] std::expected<ConfigEdits, std::string> set_config_values(
    std::string_view text, std::string_view file_name, std::span<const ConfigChange> changes);

// `key`: a path such as "listen.port". `value`: the new value, without quotes; of a list, its words
// with commas. If the text lacks
// the key, the key is added to its section, and sections that are missing, too. The
// error has one line for each mistake; `file_name` is the text's name in it.
[[nodiscard]] std::expected<ConfigEdit, std::string> set_config_value(std::string_view text,
                                                                      std::string_view file_name,
                                                                      std::string_view key,
                                                                      std::string_view value);

}  // namespace winperf
