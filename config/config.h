// The program's configuration: one file of YAML-ish JSON, checked as a whole, as plain values.
//
// A Config in hand is complete and valid: every key that the file leaves out has its default, and
// a file with any error gives no Config at all but every error that was found, with its place and
// with what to write instead. The keys, their kinds, ranges and defaults: config/options.h and
// docs/configuration.md. Input is not trusted: its size, its depth and its patterns are bounded.
// Thread rule: values; a const Config may be read by any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/match/filter.h"
#include "collectors/model/counter_path.h"
#include "config/config_error.h"

namespace winperf {

struct ListenConfig {
  std::string address = "0.0.0.0";  // or "::", "127.0.0.1", a host name
  std::uint16_t port = 10182;       // 0: any free port
  bool operator==(const ListenConfig&) const = default;
};

enum class LogLevel : std::uint8_t { kTrace, kDebug, kInfo, kWarn, kError };
enum class LogFormat : std::uint8_t { kText, kJson };

struct LogConfig {
  LogLevel level = LogLevel::kInfo;
  LogFormat format = LogFormat::kText;
  std::string file;                             // UTF-8; empty: standard error
  std::size_t max_bytes = 10U * 1024U * 1024U;  // of one file,
  std::size_t max_files = 5;                    // and how many full ones are kept beside it
  bool operator==(const LogConfig&) const = default;
};

struct MetricsConfig {
  bool total_instances = false;  // also expose `_Total` and its like
  bool cooked = false;           // also expose what perfmon shows
  bool cap_percentages = false;  // cooked percentages end at 100
  bool operator==(const MetricsConfig&) const = default;
};

struct LimitsConfig {
  std::chrono::milliseconds query_timeout{10'000};    // of one query, with all its attempts
  std::size_t max_reply_bytes = 64U * 1024U * 1024U;  // of one query's reply
  bool operator==(const LimitsConfig&) const = default;
};

// When the file is read again while the program runs.
struct ReloadConfig {
  bool on_change = true;  // once it was changed
  bool http = false;      // by POST /-/reload
  bool operator==(const ReloadConfig&) const = default;
};

// The language in which this file writes the names of countersets and counters.
enum class NameLanguage : std::uint8_t { kEnglish, kMachine };

struct CountersetConfig {
  std::string label;               // names.front(): how messages and metrics call the counterset
  std::vector<std::string> names;  // at least one: the first that the machine has is taken. An
                                   // object's name, or its title index in decimal.
  std::chrono::milliseconds interval{5'000};
  std::optional<CounterPath> path;           // nothing: the configuration's
  Filter instances;                          // by the instance's name
  std::optional<std::uint32_t> instance_id;  // only the instance with this id
  Filter counters;                           // by the counter's name
  bool operator==(const CountersetConfig&) const = default;
};

struct Config {
  ListenConfig listen;
  std::chrono::milliseconds interval{5'000};  // of countersets that do not name their own
  NameLanguage language = NameLanguage::kEnglish;
  CounterPath path = CounterPath::kAuto;  // of countersets that do not name their own
  LogConfig log;
  MetricsConfig metrics;
  LimitsConfig limits;
  ReloadConfig reload;
  std::vector<CountersetConfig> countersets;  // never empty, no name twice
  bool operator==(const Config&) const = default;
};

// What runs where there is no file, or an empty one.
Config default_config();

using ConfigErrors = std::vector<ConfigError>;  // in order of their place, never empty

// `file_name` is what the errors call the text.
std::expected<Config, ConfigErrors> parse_config(std::string_view text, std::string_view file_name);
// The text alone, of at most a byte more than is allowed; not checked.
std::expected<std::string, ConfigErrors> read_config_file(const std::filesystem::path& path);
std::expected<Config, ConfigErrors> load_config_file(const std::filesystem::path& path);

}  // namespace winperf
