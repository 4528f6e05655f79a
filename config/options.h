// The table of configuration keys. The check of a file, the suggestions in its errors, the JSON
// Schema and the table in docs/configuration.md are derived from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "config/config.h"
#include "config/document.h"

namespace winperf {

struct CheckContext;
struct Option;

// A word of the configuration, and the number of the enumerator that it means.
struct Choice {
  std::string_view word{};
  std::int64_t value = 0;

  template <class Enumerator>
    requires std::is_enum_v<Enumerator>
  constexpr Choice(std::string_view text, Enumerator meaning)
      : word(text), value(static_cast<std::int64_t>(meaning)) {}
  constexpr Choice() = default;
};

using Words = std::vector<std::int64_t>;  // of choices, sorted
using Names = std::vector<std::string>;
using Patterns = std::vector<Pattern>;
using Users = std::vector<UserConfig>;
using FixedLabels = std::vector<FixedLabel>;
// A pattern whose groups are labels; optional, so that every value has a default.
using Labels = std::optional<Pattern>;

// A checked value, as its kind reads it. Choices, durations (in milliseconds) and sizes (in bytes)
// are numbers.
using OptionValue = std::variant<bool, std::int64_t, double, std::string, Words, Names, Patterns,
                                 Labels, Users, FixedLabels>;
using ReadValue = std::expected<OptionValue, TextError>;

// How `config set` writes a new value; it refuses those of kByHand.
enum class Written : std::uint8_t { kByHand, kBare, kQuoted, kList };

// How the values of some keys are read, documented and described to editors. Kinds that several
// tables use are members here; those of a single key are defined next to its row.
struct OptionKind {
  // The error's place is that of the node, or of the entry of a list that is wrong. Null if the
  // option has keys below it, which `check` reads.
  ReadValue (*read)(const Option&, const Node&) = nullptr;
  void (*check)(CheckContext&, const Option&, const Node&) = nullptr;
  // In documentation, and as a JSON Schema. In both, {min}, {max} and {choices} are the option's;
  // {keys} are the properties of its section, {entries} those of the objects in its list. If there
  // is an `entry`, the value is one, or a list by `schema`.
  std::string_view words{};
  std::string_view entry{};
  std::string_view schema{};
  // Of a value that an error shows, as written in a file; empty: the minimum, or a choice.
  std::string_view example = "\"Memory\"";
  Written written = Written::kByHand;
  std::string (*limit_text)(std::int64_t) = nullptr;  // null: a number's digits

  static const OptionKind kSection;      // an object; the paths of its keys begin with its path
  static const OptionKind kBoolean;      // true or false
  static const OptionKind kInteger;      // within the limits
  static const OptionKind kDuration;     // "500ms", "1m30s" or a number of seconds; in milliseconds
  static const OptionKind kBytes;        // "64MiB" or a number of bytes
  static const OptionKind kFile;         // a file's name, up to `maximum` bytes; may be empty
  static const OptionKind kChoice;       // one of `choices`
  static const OptionKind kWords;        // one of `choices`, or a list of some of them
  static const OptionKind kNames;        // a name, a title index, or a list of alternatives
  static const OptionKind kTexts;        // text, or a list of up to `maximum`; not empty
  static const OptionKind kTargetHosts;  // a name or pattern of machines, or a list
  // Lists of objects, whose keys begin with the option's path and [].
  static const OptionKind kCountersets;
  static const OptionKind kTargetCountersets;
  static const OptionKind kFacts;
  static const OptionKind kMetrics;
  static const OptionKind kTargets;
  static const OptionKind kCounterBounds;
  static const OptionKind kListen;  // one such object, or a list of up to `maximum`
};

// What a key takes.
struct TakenValue {
  const OptionKind* kind = &OptionKind::kSection;
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;
  std::string_view limit_reason{};  // the reason for the minimum, for error messages
  std::span<const Choice> choices{};

  constexpr TakenValue() = default;
  constexpr TakenValue(const OptionKind& of) : kind(&of) {}
  constexpr TakenValue(const OptionKind& of, std::int64_t most) : kind(&of), maximum(most) {}
  constexpr TakenValue(const OptionKind& of, std::int64_t least, std::int64_t most,
                       std::string_view reason = {})
      : kind(&of), minimum(least), maximum(most), limit_reason(reason) {}
  constexpr TakenValue(const OptionKind& of, std::span<const Choice> words)
      : kind(&of), choices(words) {}
};

// Collects the values of a file. `counterset`, its `metric`, `fact`, `target`, `bound` and the last
// of `config.listen` are the entries being read.
struct ConfigDraft {
  Config config;
  CountersetConfig counterset;
  CustomMetric metric{};
  FactConfig fact{};
  TargetConfig target{};
  CounterBound bound{};
};

// A row of the tables.
struct Option {
  std::string_view path{};  // "listen.port", "countersets[].interval"
  TakenValue takes{};
  std::string_view default_value{};  // as written in the file; empty: see the description
  std::string_view description{};    // plain text, one sentence or more
  void (*assign)(ConfigDraft&, const OptionValue&) = nullptr;  // null for sections and lists
  std::string_view shown{};    // in the example configuration, if the default says too little
  std::string_view example{};  // a value without quotes, if there is no default
};

// Of an address or a host name.
inline constexpr std::int64_t kMaxHostBytes = 255;

// Of a service's name, which is the name of a registry key.
inline constexpr std::size_t kMaxServiceBytes = 255;

// Of a name, and of a text in a list of them.
inline constexpr std::size_t kMaxNameBytes = 1024;

// Of folders with text files.
inline constexpr std::int64_t kMaxFactFolders = 32;

// Pending requests per address.
inline constexpr std::uint32_t kMostRequests = 10'000;

// With this key editors find the file's schema; the program ignores it.
inline constexpr std::string_view kSchemaKey = "$schema";

// The keys with this prefix are also those of a separate web configuration, without it.
inline constexpr std::string_view kWebSection = "listen.web";

// In the order of the example and the documentation.
std::span<const Option> config_options();

// The option with this key in this section; null if there is none.
const Option* find_option(std::string_view parent, std::string_view key);

// The parts of a path: "listen" and "port" of "listen.port"; the parent of "interval" is empty.
std::string_view key_of(const Option& option);
std::string_view parent_of(const Option& option);

}  // namespace winperf
