// Changes keys of a configuration text in place. Comments, the order of the keys, line endings,
// quotes and everything else stay as written, byte for byte.
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

// The complete example, config/winperf_exporter.yaml, which is built into the program. Thread rule:
// any thread.
std::string_view example_config();

// The example, with other values of listen.address and listen.port if they are given, and with all
// its comments. The error is a sentence about the value that is wrong.
[[nodiscard]] std::expected<std::string, std::string> example_config_with(
    const std::optional<std::string>& address, const std::optional<std::string>& port);

struct ConfigChange {
  std::string key;    // a path such as "listen.port"
  std::string value;  // the new one, without quotes; of a list, its words with commas
};

struct ConfigEdits {
  std::string text{};  // the whole text with the new values
  // Of each change, without quotes; nothing if the text lacked the key.
  std::vector<std::optional<std::string>> old_values{};
};

// Applies several changes in order; only the final result must be valid. A missing key is added to
// its section, and missing sections are added, too. The error has one line for each mistake;
// `file_name` is the text's name in it.
[[nodiscard]] std::expected<ConfigEdits, std::string> set_config_values(
    std::string_view text, std::string_view file_name, std::span<const ConfigChange> changes);

}  // namespace winperf
