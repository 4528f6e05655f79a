#include "config/options.h"

#include <array>
#include <chrono>

namespace winperf {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kSecond = 1000;
constexpr std::int64_t kMinute = 60 * kSecond;
constexpr std::int64_t kHour = 60 * kMinute;
constexpr std::int64_t kMib = std::int64_t{1024} * 1024;
constexpr std::int64_t kGib = 1024 * kMib;

constexpr std::string_view kIntervalFloor =
    "Windows' guidance for collecting performance data sets this floor";

// In the order of their enumerations.
constexpr std::array<std::string_view, 2> kLanguages{"english", "machine"};
constexpr std::array<std::string_view, 3> kPaths{"auto", "registry", "perflib"};
constexpr std::array<std::string_view, 5> kLogLevels{"trace", "debug", "info", "warn", "error"};
constexpr std::array<std::string_view, 2> kLogFormats{"text", "json"};

constexpr std::array kOptions{
    Option{.path = "listen",
           .kind = OptionKind::kSection,
           .description = "Where the HTTP server listens."},
    Option{.path = "listen.address",
           .kind = OptionKind::kAddress,
           .default_value = "\"0.0.0.0\"",
           .description = "Address or host name of the interface: \"0.0.0.0\" is every IPv4 "
                          "interface, \"::\" every interface, \"127.0.0.1\" this machine alone.",
           .minimum = 1,
           .maximum = 255,
           .assign = [](ConfigDraft& draft,
                        const OptionValue& value) { draft.config.listen.address = value.text; }},
    Option{
        .path = "listen.port",
        .kind = OptionKind::kInteger,
        .default_value = "10182",
        .description = "TCP port; 9182 is where windows_exporter listens, 0 takes any free port.",
        .minimum = 0,
        .maximum = 65535,
        .assign =
            [](ConfigDraft& draft, const OptionValue& value) {
              draft.config.listen.port = static_cast<std::uint16_t>(value.number);
            }},
    Option{
        .path = "interval",
        .kind = OptionKind::kDuration,
        .default_value = "\"5s\"",
        .description = "How often each counterset is sampled that does not name its own interval.",
        .minimum = kSecond,
        .maximum = kHour,
        .limit_reason = kIntervalFloor,
        .assign =
            [](ConfigDraft& draft, const OptionValue& value) {
              draft.config.interval = milliseconds(value.number);
            }},
    Option{.path = "language",
           .kind = OptionKind::kChoice,
           .default_value = "\"english\"",
           .description = "The language in which this file writes the names of countersets and "
                          "counters: English, or the language of the machine.",
           .choices = kLanguages,
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.config.language = static_cast<NameLanguage>(value.number);
               }},
    Option{.path = "path",
           .kind = OptionKind::kChoice,
           .default_value = "\"auto\"",
           .description = "By which of Windows' two ways counters are read. auto: what a V2 "
                          "provider has registered by PerfLib, everything else by the registry, "
                          "and by the registry what PerfLib fails to deliver.",
           .choices = kPaths,
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.config.path = static_cast<CounterPath>(value.number);
               }},
    Option{.path = "log",
           .kind = OptionKind::kSection,
           .description = "What the program says about its own work."},
    Option{.path = "log.level",
           .kind = OptionKind::kChoice,
           .default_value = "\"info\"",
           .description = "The least important messages that are written.",
           .choices = kLogLevels,
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.config.log.level = static_cast<LogLevel>(value.number);
               }},
    Option{.path = "log.format",
           .kind = OptionKind::kChoice,
           .default_value = "\"text\"",
           .description = "Lines for people, or one JSON object a line.",
           .choices = kLogFormats,
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.config.log.format = static_cast<LogFormat>(value.number);
               }},
    Option{.path = "log.file",
           .kind = OptionKind::kFile,
           .default_value = "\"\"",
           .description = "File to write to, as seen from the folder of this one; empty for "
                          "standard error, or the event log alone when run as a service.",
           .maximum = 4096,
           .assign = [](ConfigDraft& draft,
                        const OptionValue& value) { draft.config.log.file = value.text; }},
    Option{.path = "log.max_bytes",
           .kind = OptionKind::kBytes,
           .default_value = "\"10MiB\"",
           .description = "How large the file may become before a new one is begun.",
           .minimum = 64 * 1024,
           .maximum = kGib,
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.config.log.max_bytes = static_cast<std::size_t>(value.number);
               }},
    Option{.path = "log.max_files",
           .kind = OptionKind::kInteger,
           .default_value = "5",
           .description = "How many full files are kept beside the one that is written to.",
           .minimum = 1,
           .maximum = 100,
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.config.log.max_files = static_cast<std::size_t>(value.number);
               }},
    Option{.path = "metrics",
           .kind = OptionKind::kSection,
           .description = "Which metrics are exposed."},
    Option{.path = "metrics.total_instances",
           .kind = OptionKind::kBoolean,
           .default_value = "false",
           .description =
               "Also expose instances that add up the others, such as _Total; sum() over "
               "the series would count them twice.",
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.config.metrics.total_instances = value.flag;
               }},
    Option{.path = "metrics.cooked",
           .kind = OptionKind::kBoolean,
           .default_value = "false",
           .description = "Also expose the values as perfmon shows them, as gauges.",
           .assign = [](ConfigDraft& draft,
                        const OptionValue& value) { draft.config.metrics.cooked = value.flag; }},
    Option{.path = "metrics.cap_percentages",
           .kind = OptionKind::kBoolean,
           .default_value = "false",
           .description = "Let percentages as perfmon shows them end at 100; without it they may "
                          "exceed it, as on machines whose processors run above their base clock.",
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.config.metrics.cap_percentages = value.flag;
               }},
    Option{.path = "limits",
           .kind = OptionKind::kSection,
           .description = "What a performance counter provider may take."},
    Option{.path = "limits.query_timeout",
           .kind = OptionKind::kDuration,
           .default_value = "\"10s\"",
           .description = "How long one query may take, with all its attempts.",
           .minimum = kSecond,
           .maximum = 10 * kMinute,
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.config.limits.query_timeout = milliseconds(value.number);
               }},
    Option{.path = "limits.max_reply_bytes",
           .kind = OptionKind::kBytes,
           .default_value = "\"64MiB\"",
           .description = "How large the reply to one query may be.",
           .minimum = kMib,
           .maximum = kGib,
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.config.limits.max_reply_bytes = static_cast<std::size_t>(value.number);
               }},
    Option{.path = "reload",
           .kind = OptionKind::kSection,
           .description = "When this file is read again while the program runs."},
    Option{.path = "reload.on_change",
           .kind = OptionKind::kBoolean,
           .default_value = "true",
           .description = "Once the file was changed. If it is wrong then, the configuration "
                          "before stays in use.",
           .assign = [](ConfigDraft& draft,
                        const OptionValue& value) { draft.config.reload.on_change = value.flag; }},
    Option{.path = "reload.http",
           .kind = OptionKind::kBoolean,
           .default_value = "false",
           .description = "On POST /-/reload, by whoever can reach the port.",
           .assign = [](ConfigDraft& draft,
                        const OptionValue& value) { draft.config.reload.http = value.flag; }},
    Option{.path = "countersets",
           .kind = OptionKind::kCountersets,
           .description =
               "What is sampled: a list of names, and of objects with the keys below. Without this "
               "key: Processor Information (Processor where the machine lacks it), Memory, "
               "LogicalDisk, PhysicalDisk, Network Interface, System, Process and TCPv4, Process "
               "every 15 s (or at the interval above, if that is longer)."},
    Option{.path = "countersets[].name",
           .kind = OptionKind::kNames,
           .description =
               "Name of the counterset, or its title index, or the GUID of a V2 counterset, or a "
               "list of alternatives of which the first is taken that the machine has. Required.",
           .assign = [](ConfigDraft& draft,
                        const OptionValue& value) { draft.counterset.names = value.names; }},
    Option{.path = "countersets[].interval",
           .kind = OptionKind::kDuration,
           .description = "How often this counterset is sampled. Default: the interval above.",
           .minimum = kSecond,
           .maximum = kHour,
           .limit_reason = kIntervalFloor,
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.counterset.interval = milliseconds(value.number);
               }},
    Option{.path = "countersets[].path",
           .kind = OptionKind::kChoice,
           .description = "As for all countersets. Default: the path above.",
           .choices = kPaths,
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.counterset.path = static_cast<CounterPath>(value.number);
               }},
    Option{.path = "countersets[].instances",
           .kind = OptionKind::kSection,
           .description = "Which instances are sampled, by their names or id."},
    Option{.path = "countersets[].instances.include",
           .kind = OptionKind::kPatterns,
           .default_value = "[]",
           .description = "Regular expressions, one of which must match the whole name; none: all "
                          "instances.",
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.counterset.instances.include = value.patterns;
               }},
    Option{.path = "countersets[].instances.exclude",
           .kind = OptionKind::kPatterns,
           .default_value = "[]",
           .description = "Regular expressions, none of which may match the whole name; stronger "
                          "than include.",
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.counterset.instances.exclude = value.patterns;
               }},
    Option{.path = "countersets[].instances.id",
           .kind = OptionKind::kInteger,
           .description = "Only the instance with this number: the instance id of a V2 counterset, "
                          "the unique id of an object that has them. Default: all instances.",
           .minimum = 0,
           .maximum = 4'294'967'294,
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.counterset.instance_id = static_cast<std::uint32_t>(value.number);
               }},
    Option{.path = "countersets[].counters",
           .kind = OptionKind::kSection,
           .description = "Which counters are sampled, by their names."},
    Option{.path = "countersets[].counters.include",
           .kind = OptionKind::kPatterns,
           .default_value = "[]",
           .description = "As for instances.",
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.counterset.counters.include = value.patterns;
               }},
    Option{.path = "countersets[].counters.exclude",
           .kind = OptionKind::kPatterns,
           .default_value = "[]",
           .description = "As for instances.",
           .assign =
               [](ConfigDraft& draft, const OptionValue& value) {
                 draft.counterset.counters.exclude = value.patterns;
               }},
};

struct Unit {
  std::int64_t size;
  std::string_view name;
};

// With the largest unit that leaves no rest.
std::string with_unit(std::int64_t amount, std::span<const Unit> units) {
  for (const Unit& unit : units) {
    if (amount % unit.size == 0) return std::to_string(amount / unit.size) + std::string(unit.name);
  }
  return std::to_string(amount);
}

}  // namespace

std::span<const Option> config_options() { return kOptions; }

std::string_view key_of(const Option& option) {
  return option.path.substr(option.path.rfind('.') + 1);
}

std::string_view parent_of(const Option& option) {
  const std::size_t dot = option.path.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : option.path.substr(0, dot);
}

std::string duration_text(std::int64_t amount) {
  static constexpr Unit kUnits[] = {{kHour, "h"}, {kMinute, "m"}, {kSecond, "s"}, {1, "ms"}};
  return with_unit(amount, kUnits);
}

std::string bytes_text(std::int64_t bytes) {
  static constexpr Unit kUnits[] = {{kGib, "GiB"}, {kMib, "MiB"}, {1024, "KiB"}};
  return with_unit(bytes, kUnits);
}

}  // namespace winperf
