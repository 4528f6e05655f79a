// The one table of configuration keys. The check of a file, the suggestions in its errors, the JSON
// Schema and the table in docs/configuration.md are all derived from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/config.h"

namespace winperf {

enum class OptionKind : std::uint8_t {
  kSection,      // an object with keys of its own: their paths begin with this one's
  kListen,       // the same, or a list of up to `maximum` such objects
  kBoolean,      // true or false
  kInteger,      // within [minimum, maximum]
  kDuration,     // "500ms", "15s", "1m30s" or a number of seconds; limits in milliseconds
  kBytes,        // "64MiB" or a number of bytes; limits in bytes
  kFile,         // a file's name, up to `maximum` bytes; may be empty
  kAddress,      // an address or host name, without a port
  kHosts,        // a host name or address, or a list of up to `maximum` of them
  kChoice,       // one of `choices`
  kWords,        // one of `choices`, or a list of some of them
  kServices,     // the name of a Windows service, or a list of up to `maximum` of them
  kNames,        // a name, a title index, or a list of alternatives
  kPatterns,     // a regular expression or a list of them
  kLabels,       // a regular expression whose named groups are labels
  kCounter,      // a counter's name
  kUrlPath,      // the path of a URL, up to `maximum` bytes
  kText,         // text on one line, up to `maximum` bytes; may be empty
  kTexts,        // one of those, or a list of up to `maximum`; not empty
  kPem,          // PEM, up to `maximum` bytes, which no message repeats; may be empty
  kUsers,        // an object of up to `maximum` names with password hashes, equally secret
  kCountersets,  // a list of names and objects; keys of the objects begin with "countersets[]"
  kFacts,        // the same; those of the objects begin with "facts[]"
  kMetrics,     // a list of up to `maximum` objects, whose keys begin with the option's path and []
  kMetricName,  // a metric's name
  kLabelName,   // a label's name
  kTargets,     // a list of up to `maximum` objects, whose keys begin with "targets[]"
  kTargetHosts,  // a machine's name or a pattern of such names, or a list of up to `maximum`
  kWord,         // a name that stands in a URL: letters, digits, ., _ and -, up to `maximum`
  kFixedLabels,  // an object of up to `maximum` names of labels with their values
};

// An enumerator, of any enumeration that a configuration can choose from.
using Enumerator =
    std::variant<NameLanguage, CounterPath, LogLevel, LogFormat, Served, Isolation, MetricValues,
                 MetricProfile, FactTopic, CustomType, CustomValue, ClientAuth, TlsVersion,
                 CipherSuite, Curve, FrameOptions, ContentTypeOptions>;

// A word of the configuration, and what it stands for.
struct Choice {
  std::string_view word;
  Enumerator value;
};

using Words = std::vector<Enumerator>;
using Names = std::vector<std::string>;
using Patterns = std::vector<Pattern>;
using Users = std::vector<UserConfig>;
using FixedLabels = std::vector<FixedLabel>;
// Of kLabels; a type of its own, so that every value has a default.
using Labels = std::optional<Pattern>;

// A checked value: bool for kBoolean; a number for kInteger, kDuration and kBytes; text for kFile,
// kAddress, kCounter, kUrlPath, kText, kPem, kWord and names of metrics and labels; an Enumerator
// for kChoice; Words, sorted by their numbers; Names for kHosts, kServices, kTexts and
// kTargetHosts, too.
using OptionValue = std::variant<bool, std::int64_t, std::string, Enumerator, Words, Names,
                                 Patterns, Labels, Users, FixedLabels>;

// Where the values of a file are gathered; `counterset`, its `metric`, `fact` and `target` are the
// entries being read, and the last one of `config.listen` is.
struct ConfigDraft {
  Config config;
  CountersetConfig counterset;
  CustomMetric metric{};
  FactConfig fact{};
  TargetConfig target{};
};

struct Option {
  std::string_view path{};  // "listen.port", "countersets[].interval"
  OptionKind kind = OptionKind::kSection;
  std::string_view default_value{};  // as written in the file; empty: see the description
  std::string_view description{};    // plain text, one sentence or more
  std::int64_t minimum = 0;
  std::int64_t maximum = 0;
  std::string_view limit_reason{};  // why there is this minimum, if people will ask
  std::span<const Choice> choices{};
  std::string_view example{};  // of a value, without quotes, if the default is none
  void (*assign)(ConfigDraft&, const OptionValue&) = nullptr;  // null for sections and lists
};

// Of an address or a host name.
inline constexpr std::int64_t kMaxHostBytes = 255;

// Of a service's name, which is the name of a registry key.
inline constexpr std::int64_t kMaxServiceBytes = 255;

// Of a name, and of a text in a list of them.
inline constexpr std::size_t kMaxNameBytes = 1024;

// Of folders with text files.
inline constexpr std::int64_t kMaxFactFolders = 32;

// Of those that wait for an answer at an address.
inline constexpr std::uint32_t kMostRequests = 10'000;

// This key tells editors where the file's schema is; the program ignores it.
inline constexpr std::string_view kSchemaKey = "$schema";

// In the order of the example and the documentation.
std::span<const Option> config_options();

// The option with this key in this section; null if there is none.
const Option* find_option(std::string_view parent, std::string_view key);

// The parts of a path: "listen" and "port" of "listen.port"; the parent of "interval" is empty.
std::string_view key_of(const Option& option);
std::string_view parent_of(const Option& option);

}  // namespace winperf
