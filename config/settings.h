// The values of all keys of a configuration, with where each comes from, as the API shows them.
// Secrets aren't among them. Thread rule: values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

struct Document;

struct Setting {
  std::string key{};     // "log.level", "listen[0].port"
  std::string value{};   // as JSON; "set" for a secret, null for a default without a number
  std::size_t line = 0;  // of the file; 0: the file doesn't have it
  std::string option{};  // of the command line that sets it; empty: none does
};
using Settings = std::vector<Setting>;

// In the order of the table of keys (options.h). Of an entry of countersets, facts and targets,
// only the keys that it has.
[[nodiscard]] Settings settings_of(const Document& document, std::string_view text);

// Without a file.
[[nodiscard]] Settings default_settings();

// Sets a value from the command line, in place of that of the file. `value`: as JSON.
void override_setting(Settings& settings, const std::string& key, std::string value,
                      std::string_view option);
// Removes the key and all below it: "listen" includes "listen[0].port".
void remove_settings(Settings& settings, std::string_view key);

}  // namespace winperf
