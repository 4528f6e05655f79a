// The program's configuration: one file in JSON or YAML, checked as a whole, as plain values.
//
// A Config is always complete and valid: every key that the file leaves out has its default. A file
// with errors gives no Config but the list of all errors, each with its place and a correction.
// config/options.h and docs/configuration.md have the keys, their kinds, ranges and defaults. Input
// is not trusted: its size, its depth and its patterns are bounded. Thread rule: values; a const
// Config may be read by any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/match/filter.h"
#include "collectors/model/counter_path.h"
#include "collectors/model/fact_topic.h"
#include "collectors/model/inventory.h"
#include "collectors/model/metric_profile.h"
#include "collectors/model/target_state.h"
#include "collectors/model/worker_state.h"
#include "config/settings.h"
#include "config/web_config.h"

namespace winperf {

// What an address serves to any client.
enum class Served : std::uint8_t { kMetrics, kApi, kPage };

struct ListenConfig {
  std::string address = "::";  // every interface, IPv4 and IPv6; or "0.0.0.0", "127.0.0.1", a name
  std::uint16_t port = 10182;  // 0: any free port
  // In order, none twice. Nothing: metrics to all clients, the rest to this machine only.
  std::optional<std::vector<Served>> serve{};
  std::vector<std::string> hosts{};  // further names that the API and the page answer to
  std::vector<std::string> cors{};   // origins whose pages may read the API, as browsers write them
  std::string web_file{};            // the source of `web`; empty: `web` is inline
  WebConfig web{};
  bool operator==(const ListenConfig&) const = default;
};

enum class LogLevel : std::uint8_t { kTrace, kDebug, kInfo, kWarn, kError };
enum class LogFormat : std::uint8_t { kText, kJson };

struct LogConfig {
  LogLevel level = LogLevel::kInfo;
  LogFormat format = LogFormat::kText;
  std::string file;                             // UTF-8; empty: standard error
  std::size_t max_bytes = 10U * 1024U * 1024U;  // of one file
  std::size_t max_files = 5;                    // full ones, in addition to the current one
  bool operator==(const LogConfig&) const = default;
};

struct MetricsConfig {
  // In order, none twice, at least one.
  std::vector<MetricProfile> profiles{MetricProfile::kWinperf};
  PageDetail detail = PageDetail::kUsual;
  std::size_t leading_processes = 10;  // how many of them the usual page has
  bool total_instances = false;        // also expose `_Total` and its like
  MetricValues values = MetricValues::kBoth;
  bool created = false;           // in OpenMetrics, expose the creation time of counters
  bool cap_percentages = false;   // cap cooked percentages at 100
  std::string path = "/metrics";  // of the metrics page
  bool exporter = true;           // also expose those about the exporter's process and HTTP server
  bool operator==(const MetricsConfig&) const = default;
};

struct LimitsConfig {
  std::chrono::milliseconds query_timeout{10'000};    // of one query, including all attempts
  std::size_t max_reply_bytes = 64U * 1024U * 1024U;  // of one query's reply
  std::size_t max_series = 200'000;                   // of all countersets on the page
  std::uint32_t max_requests = 1024;                  // pending ones, per address
  bool operator==(const LimitsConfig&) const = default;
};

// The processes that query providers, so that these don't run in the exporter itself.
struct WorkersConfig {
  bool enabled = true;
  Isolation isolation = Isolation::kAuto;
  std::vector<std::string> leave_out{};  // services whose V1 providers are never loaded
  std::chrono::milliseconds shortest_timeout{2'000};  // of a query that usually takes less
  // A worker with more is replaced.
  std::size_t max_memory_bytes = 512U * 1024U * 1024U;
  std::size_t max_handles = 10'000;
  std::size_t max_threads = 500;
  bool operator==(const WorkersConfig&) const = default;
};

// When the running program reads the file again.
struct ReloadConfig {
  bool on_change = true;  // when the file changes
  bool http = false;      // on POST /-/reload
  bool operator==(const ReloadConfig&) const = default;
};

// A bound of a counter, which has exactly one of the two.
struct CounterBound {
  std::string path{};  // of perfmon, with a counter
  std::optional<double> above{};
  std::optional<double> below{};
  bool operator==(const CounterBound&) const = default;
};

// When the program writes a capture of what it remembers by itself.
struct CapturesConfig {
  bool counterset_fails = false;
  bool service_stops = false;
  std::vector<CounterBound> counters{};
  std::chrono::milliseconds span{15 * 60'000};  // of a capture
  std::string folder = "logs";                  // UTF-8
  bool operator==(const CapturesConfig&) const = default;

  bool is_on() const { return counterset_fails || service_stops || !counters.empty(); }
};

// What is remembered of samples.
struct RecorderConfig {
  std::optional<std::size_t> memory_bytes{};  // nothing: by the machine's memory; 0: none is
  // Names and patterns (config/hosts.h): which targets are recorded, too.
  std::vector<std::string> targets{};
  bool owners = true;  // whether owners and command lines are kept, if they are read
  CapturesConfig captures{};
  bool operator==(const RecorderConfig&) const = default;
};

// The language of the names of countersets and counters in the file.
enum class NameLanguage : std::uint8_t { kEnglish, kMachine };

struct CountersetConfig {
  std::string label;  // names.front(): its name in messages and metrics
  // At least one; the first that exists is used. An object's name, or its title index in decimal. A
  // pattern (config/patterns.h) has no alternatives.
  std::vector<std::string> names;
  bool is_optional = false;           // of a set: sampled if it exists
  std::vector<std::string> except{};  // names and patterns that a pattern leaves out
  bool costly = false;      // whether a pattern also matches objects that are expensive to collect
  bool with_twins = false;  // whether a pattern also matches countersets that repeat another one
  std::chrono::milliseconds interval{5'000};
  std::chrono::milliseconds stale_after{12'500};  // the age at which a value is stale
  std::optional<CounterPath> path;                // nothing: that of the configuration
  Filter instances;                               // by the instance's name
  bool instances_as_displayed = false;         // by the name in perfmon, with its parent and "#1"
  std::optional<std::uint32_t> instance_id;    // only the instance with this id
  std::optional<std::size_t> max_instances{};  // not counting _Total
  std::string ranked_by{};                     // the counter that ranks them; may be empty
  std::optional<Pattern> label_pattern{};      // its named groups become labels of an instance
  Filter counters;                             // by the counter's name
  std::string instance_label = "instance";     // of `metrics`
  std::vector<CustomMetric> metrics{};         // in addition to those of metrics.profiles
  // If a pattern matched it, from the inventory:
  std::optional<std::uint32_t> object{};  // its title index, if it is a V1 object
  bool is_of_everything = false;          // whether the pattern was "*", without exceptions
  // If it is not a pattern, after discovery:
  Absence absence = Absence::kFailure;
  bool operator==(const CountersetConfig&) const = default;
};

// How one topic of facts is read.
struct FactConfig {
  FactTopic topic{};
  std::chrono::milliseconds interval{};
  Filter rows{};                       // by the topic's row_name
  std::vector<std::string> folders{};  // of text files; UTF-8
  bool operator==(const FactConfig&) const = default;
};

// One or several remote machines that are sampled.
struct TargetConfig {
  std::vector<std::string> hosts;  // names and addresses; with * or ? a pattern (config/hosts.h)
  std::string module = kDefaultModule;         // distinguishes the entries of a machine
  std::vector<FixedLabel> labels{};            // for Prometheus' discovery
  std::chrono::milliseconds interval{15'000};  // of countersets that don't set their own
  std::optional<std::chrono::milliseconds> stale_after{};  // the same
  CounterPath path = CounterPath::kRegistry;               // the same
  NameLanguage language = NameLanguage::kEnglish;  // in addition to English; kMachine: the target's
  std::vector<std::string> collect{};
  std::vector<CountersetConfig> countersets{};  // never empty
  bool operator==(const TargetConfig&) const = default;
};

// How targets are sampled.
struct RemoteConfig {
  std::uint32_t workers = 8;  // for targets that answer
  bool operator==(const RemoteConfig&) const = default;
};

// What is wrong with MetricsConfig::path, to follow the name of a key or an option; nothing if it
// is valid.
std::optional<std::string> metrics_path_problem(const std::string& path);

// The road by which other programs of this machine get the exporter's own counters (ADR 0027).
enum class OwnCountersRoad : std::uint8_t { kV1, kV2, kNone };

inline constexpr std::size_t kMaxAddresses = 8;
inline constexpr std::size_t kMaxLeftOut = 64;
inline constexpr std::size_t kMaxTargetEntries = 1000;
inline constexpr std::size_t kMaxHosts = 5000;  // of an entry

struct Config {
  // 1 to kMaxAddresses, no address and port twice, and none that overlap.
  std::vector<ListenConfig> listen{ListenConfig{}};
  std::chrono::milliseconds interval{5'000};  // of countersets that don't set their own
  std::optional<std::chrono::milliseconds> stale_after{};  // the same; nothing: by the interval
  std::chrono::milliseconds discovery_interval{30'000};    // between discovery runs
  NameLanguage language = NameLanguage::kEnglish;
  CounterPath path = CounterPath::kAuto;  // the same
  LogConfig log;
  MetricsConfig metrics;
  LimitsConfig limits;
  WorkersConfig workers;
  ReloadConfig reload;
  RecorderConfig recorder{};
  OwnCountersRoad own_counters = OwnCountersRoad::kV1;
  // Collector sets; their countersets are in `countersets`.
  std::vector<std::string> collect{};
  std::vector<CountersetConfig> countersets;  // no name twice; empty only if there are facts
  std::vector<FactConfig> facts;              // in the order of the topics, none twice
  std::vector<TargetConfig> targets{};        // no host twice with the same module
  RemoteConfig remote{};
  bool operator==(const Config&) const = default;
};

// An immutable configuration that several parts of the program share.
class SharedConfig {
 public:
  SharedConfig(Config config = {}) : config_(std::make_shared<const Config>(std::move(config))) {}
  operator const Config&() const { return *config_; }
  const Config& operator*() const { return *config_; }
  const Config* operator->() const { return config_.get(); }
  friend bool operator==(const SharedConfig& a, const SharedConfig& b) {
    return a.config_ == b.config_ || *a == *b;
  }

 private:
  std::shared_ptr<const Config> config_;
};

// The configuration if there is no file, or an empty one.
Config default_config();

// What is wrong with a configuration, where, and the correction.
struct ConfigError {
  std::string file;
  std::size_t line = 0;    // from 1; 0 if the error is about the whole file (it can't be read)
  std::size_t column = 0;  // from 1, in characters of UTF-8; 0 as above
  std::string message;     // lower case, no full stop
  bool operator==(const ConfigError&) const = default;
};

// "winperf.yaml:12:3: unknown key "intervall"; did you mean "interval"?"
std::string describe(const ConfigError& error);

using ConfigErrors = std::vector<ConfigError>;  // in order of their place, never empty
// One line per error.
std::string describe(const ConfigErrors& errors);

// `file_name`: names the text in errors; a log file must not have it.
[[nodiscard]] std::expected<Config, ConfigErrors> parse_config(std::string_view text,
                                                               std::string_view file_name);
// The text, of bounded size and unchecked.
[[nodiscard]] std::expected<std::string, ConfigErrors> read_config_file(
    const std::filesystem::path& path);
// Reads a file: read_config_file(), or a wrapper of it.
using ReadFile =
    std::function<std::expected<std::string, ConfigErrors>(const std::filesystem::path&)>;

// The result of a load. Each file is read once, because it may change between two reads.
struct LoadedConfig {
  Config config{};
  bool is_blank = false;                   // whether the file has no key
  std::map<std::string, WebConfig> web{};  // the web configurations, by the names of their files
  Settings settings{};                     // for people
};

// Also reads the web configurations that it names; errors name the file that they are in.
[[nodiscard]] std::expected<LoadedConfig, ConfigErrors> load_config_file(
    const std::filesystem::path& path, const ReadFile& read = read_config_file);
// Reads the web configurations that are named and not read yet.
[[nodiscard]] std::expected<LoadedConfig, ConfigErrors> read_web_files(
    LoadedConfig loaded, const ReadFile& read = read_config_file);

// A separate web configuration in exporter-toolkit's format. Paths in it are not resolved.
[[nodiscard]] std::expected<WebConfig, ConfigErrors> parse_web_config(std::string_view text,
                                                                      std::string_view file_name);
// Its relative paths start at its folder.
[[nodiscard]] std::expected<WebConfig, ConfigErrors> load_web_config(
    const std::filesystem::path& path, const ReadFile& read = read_config_file);

}  // namespace winperf
