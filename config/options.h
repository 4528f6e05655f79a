// The one table of configuration keys. The check of a file, the suggestions in its errors, the JSON
// Schema and the table in docs/configuration.md all follow from it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"

namespace winperf {

enum class OptionKind : std::uint8_t {
  kSection,      // an object with keys of its own: their paths begin with this one's
  kBoolean,      // true or false
  kInteger,      // within [minimum, maximum]
  kDuration,     // "500ms", "15s", "1m30s" or a number of seconds; limits in milliseconds
  kBytes,        // "64MiB" or a number of bytes; limits in bytes
  kFile,         // a file's name, up to `maximum` bytes; may be empty
  kAddress,      // an address or host name, without a port
  kChoice,       // one of `choices`
  kNames,        // a name, a title index, or a list of alternatives
  kPatterns,     // a regular expression or a list of them
  kCountersets,  // a list of names and objects; keys of the objects begin with "countersets[]"
};

// A value after its check; which member counts depends on the kind.
struct OptionValue {
  bool flag = false;               // kBoolean
  std::int64_t number = 0;         // kInteger, kDuration, kBytes; kChoice: position in `choices`
  std::string text;                // kFile, kAddress
  std::vector<std::string> names;  // kNames
  std::vector<Pattern> patterns;   // kPatterns
};

// What the values of a file are gathered in; `counterset` is the one being read.
struct ConfigDraft {
  Config config;
  CountersetConfig counterset;
};

struct Option {
  std::string_view path{};  // "listen.port", "countersets[].interval"
  OptionKind kind = OptionKind::kSection;
  std::string_view default_value{};  // as one writes it in the file; empty: see the description
  std::string_view description{};    // plain text, one sentence or more
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;
  std::string_view limit_reason{};  // why the minimum is what it is, where people will ask
  std::span<const std::string_view> choices{};
  void (*assign)(ConfigDraft&, const OptionValue&) = nullptr;  // null for sections and lists
};

// By this key a file tells editors where its schema is; the program lets it stand.
inline constexpr std::string_view kSchemaKey = "$schema";

// In the order in which the example and the documentation show them.
std::span<const Option> config_options();

// The parts of a path: "listen" and "port" of "listen.port"; the parent of "interval" is empty.
std::string_view key_of(const Option& option);
std::string_view parent_of(const Option& option);

// "500ms", "15s", "10m": how a duration's limits and defaults are written.
std::string duration_text(std::int64_t milliseconds);
// "1MiB": the same for sizes.
std::string bytes_text(std::int64_t bytes);

}  // namespace winperf
