#include "config/options.h"

#include <algorithm>
#include <iterator>

#include "config/counterset_options.h"
#include "config/fact_options.h"
#include "config/option_limits.h"
#include "config/option_setters.h"
#include "config/target_options.h"
#include "config/web_options.h"

namespace winperf {
namespace {

constexpr Choice kLanguages[] = {{"english", NameLanguage::kEnglish},
                                 {"machine", NameLanguage::kMachine}};
constexpr Choice kLogLevels[] = {{"trace", LogLevel::kTrace},
                                 {"debug", LogLevel::kDebug},
                                 {"info", LogLevel::kInfo},
                                 {"warn", LogLevel::kWarn},
                                 {"error", LogLevel::kError}};
constexpr Choice kLogFormats[] = {{"text", LogFormat::kText}, {"json", LogFormat::kJson}};

constexpr Choice kServed[] = {
    {"metrics", Served::kMetrics}, {"api", Served::kApi}, {"page", Served::kPage}};

constexpr Choice kIsolations[] = {
    {"auto", Isolation::kAuto}, {"registry", Isolation::kRegistry}, {"hosts", Isolation::kHosts}};

constexpr Choice kProfiles[] = {
    {name_of(MetricProfile::kWinperf), MetricProfile::kWinperf},
    {name_of(MetricProfile::kWindowsExporter), MetricProfile::kWindowsExporter},
    {name_of(MetricProfile::kWindowsExporterLegacy), MetricProfile::kWindowsExporterLegacy}};

constexpr Choice kMetricValues[] = {
    {"both", MetricValues::kBoth}, {"raw", MetricValues::kRaw}, {"cooked", MetricValues::kCooked}};

constexpr Option kOptions[] = {
    {.path = "listen",
     .kind = OptionKind::kListen,
     .description = "Where the HTTP server listens: an object with the keys below, or a list of "
                    "such objects, one for each address.",
     .minimum = 1,
     .maximum = kMaxAddresses},
    {.path = "listen.address",
     .kind = OptionKind::kAddress,
     .default_value = "\"::\"",
     .description = "Address or host name of the interface. \"::\": every interface, IPv4 and "
                    "IPv6. \"0.0.0.0\": every IPv4 interface. \"127.0.0.1\": this machine only.",
     .minimum = 1,
     .maximum = kMaxHostBytes,
     .assign = set_in_listen<&ListenConfig::address>},
    {.path = "listen.port",
     .kind = OptionKind::kInteger,
     .default_value = "10182",
     .description = "TCP port. windows_exporter uses 9182; 0 selects any free port.",
     .minimum = 0,
     .maximum = 65535,
     .assign = set_in_listen<&ListenConfig::port>},
    {.path = "listen.serve",
     .kind = OptionKind::kWords,
     .description =
         "What everyone who reaches this address may read. metrics: /metrics, /probe and "
         "/api/v1/targets. api: the rest of /api/v1, /version, and /-/reload if reload.http is "
         "true. page: /. If the key "
         "is missing: metrics for everyone, the api and the page for this machine only. "
         "Health checks are always served.",
     .choices = kServed,
     .assign = set_in_listen<&ListenConfig::serve>},
    {.path = "listen.hosts",
     .kind = OptionKind::kHosts,
     .default_value = "[]",
     .description = "Further host names under which browsers may open the api and the page, such "
                    "as an alias in DNS. This machine's own names, localhost and IP addresses "
                    "always work.",
     .maximum = 32,
     .assign = set_in_listen<&ListenConfig::hosts>},
    {.path = "interval",
     .kind = OptionKind::kDuration,
     .default_value = "\"5s\"",
     .description = "Sampling interval for countersets that don't set their own.",
     .minimum = kSecond,
     .maximum = kHour,
     .limit_reason = kIntervalFloor,
     .assign = set_in_config<&Config::interval>},
    {.path = "stale_after",
     .kind = OptionKind::kDuration,
     .description =
         "How old values may get before they are no longer shown; longer than the interval and "
         "what a query takes. Default, also for countersets whose own interval is as long or "
         "longer: two and a half intervals, at least 10 s.",
     .minimum = 2 * kSecond,
     .maximum = 24 * kHour,
     .assign = set_in_config<&Config::stale_after>},
    {.path = "discovery_interval",
     .kind = OptionKind::kDuration,
     .default_value = "\"30s\"",
     .description =
         "How often the program looks for countersets that match the patterns below, and "
         "for those that are gone. Without a pattern it looks until it has found out once, and "
         "after each change of the configuration or of what is registered.",
     .minimum = 5 * kSecond,
     .maximum = kHour,
     .limit_reason = "a look opens every provider of the machine",
     .assign = set_in_config<&Config::discovery_interval>},
    {.path = "language",
     .kind = OptionKind::kChoice,
     .default_value = "\"english\"",
     .description = "The language of the names of countersets and counters in this file: English, "
                    "or the language of the machine.",
     .choices = kLanguages,
     .assign = set_in_config<&Config::language>},
    {.path = "path",
     .kind = OptionKind::kChoice,
     .default_value = "\"auto\"",
     .description = "Which Windows API counters are read through. auto: PerfLib for countersets "
                    "registered by V2 providers, falling back to the registry if that fails; the "
                    "registry for everything else. registry or perflib: that API only.",
     .choices = kPaths,
     .assign = set_in_config<&Config::path>},
    {.path = "log", .kind = OptionKind::kSection, .description = "The program's own log."},
    {.path = "log.level",
     .kind = OptionKind::kChoice,
     .default_value = "\"info\"",
     .description = "The minimum level of messages in the log.",
     .choices = kLogLevels,
     .assign = set_in_config<&Config::log, &LogConfig::level>},
    {.path = "log.format",
     .kind = OptionKind::kChoice,
     .default_value = "\"text\"",
     .description = "text: lines for people. json: one JSON object per line.",
     .choices = kLogFormats,
     .assign = set_in_config<&Config::log, &LogConfig::format>},
    {.path = "log.file",
     .kind = OptionKind::kFile,
     .default_value = "\"\"",
     .description = "The log file; a relative path starts at the folder of the configuration file. "
                    "Empty: standard error; for a service, the event log only.",
     .maximum = 4096,
     .example = "winperf_exporter.log",
     .assign = set_in_config<&Config::log, &LogConfig::file>},
    {.path = "log.max_bytes",
     .kind = OptionKind::kBytes,
     .default_value = "\"10MiB\"",
     .description = "The size at which the program starts a new log file.",
     .minimum = 64 * 1024,
     .maximum = kGib,
     .assign = set_in_config<&Config::log, &LogConfig::max_bytes>},
    {.path = "log.max_files",
     .kind = OptionKind::kInteger,
     .default_value = "5",
     .description = "The number of full log files to keep beside the current one.",
     .minimum = 1,
     .maximum = 100,
     .assign = set_in_config<&Config::log, &LogConfig::max_files>},
    {.path = "metrics", .kind = OptionKind::kSection, .description = "Which metrics are exposed."},
    {.path = "metrics.profiles",
     .kind = OptionKind::kWords,
     .default_value = "[\"winperf\"]",
     .description =
         "Whose metric names are exposed; any of these at once. winperf: this program's own. "
         "windows_exporter: those of windows_exporter, with its labels and units. "
         "windows_exporter_legacy: those that it has renamed or dropped, and dashboards still "
         "ask for.",
     .choices = kProfiles,
     .assign = set_in_config<&Config::metrics, &MetricsConfig::profiles>},
    {.path = "metrics.total_instances",
     .kind = OptionKind::kBoolean,
     .default_value = "false",
     .description = "Also expose instances that add up the others, such as _Total. sum() would "
                    "count them twice.",
     .assign = set_in_config<&Config::metrics, &MetricsConfig::total_instances>},
    {.path = "metrics.values",
     .kind = OptionKind::kChoice,
     .default_value = "\"both\"",
     .description =
         "Which values are exposed. raw: running totals, to which rate() applies. "
         "cooked: the numbers that perfmon computes between two samples, as gauges. "
         "both: both. Numbers that perfmon shows as they are, such as sizes, are exposed "
         "in each case.",
     .choices = kMetricValues,
     .assign = set_in_config<&Config::metrics, &MetricsConfig::values>},
    {.path = "metrics.created",
     .kind = OptionKind::kBoolean,
     .default_value = "false",
     .description = "In OpenMetrics, say since when a counter counts (..._created), where that is "
                    "known: for processes and threads whose Elapsed Time is sampled, and for what "
                    "the exporter counts since its start.",
     .assign = set_in_config<&Config::metrics, &MetricsConfig::created>},
    {.path = "metrics.cap_percentages",
     .kind = OptionKind::kBoolean,
     .default_value = "false",
     .description = "Cap the percentages that perfmon shows at 100. Otherwise they may exceed 100, "
                    "for example if a processor runs above its base clock.",
     .assign = set_in_config<&Config::metrics, &MetricsConfig::cap_percentages>},
    {.path = "metrics.path",
     .kind = OptionKind::kUrlPath,
     .default_value = "\"/metrics\"",
     .description = "The path of the page with the metrics.",
     .maximum = 200,
     .assign = set_in_config<&Config::metrics, &MetricsConfig::path>},
    {.path = "metrics.exporter",
     .kind = OptionKind::kBoolean,
     .default_value = "true",
     .description =
         "Also expose metrics about the exporter's own process and HTTP server. Those "
         "about countersets, workers, providers, the configuration, the log and certificates "
         "are always there.",
     .assign = set_in_config<&Config::metrics, &MetricsConfig::exporter>},
    {.path = "limits",
     .kind = OptionKind::kSection,
     .description =
         "Limits for queries to the performance counter providers, and for what is served."},
    {.path = "limits.query_timeout",
     .kind = OptionKind::kDuration,
     .default_value = "\"10s\"",
     .description = "The timeout of one query, including all attempts.",
     .minimum = kSecond,
     .maximum = 10 * kMinute,
     .assign = set_in_config<&Config::limits, &LimitsConfig::query_timeout>},
    {.path = "limits.max_series",
     .kind = OptionKind::kInteger,
     .default_value = "200000",
     .description = "The maximum number of series on /metrics, apart from the exporter's own. A "
                    "counterset for which there is no room is left out as a whole; those before it "
                    "in the list have theirs.",
     .minimum = 1000,
     .maximum = 10'000'000,
     .assign = set_in_config<&Config::limits, &LimitsConfig::max_series>},
    {.path = "limits.max_requests",
     .kind = OptionKind::kInteger,
     .default_value = "1024",
     .description = "The maximum number of requests to one address that wait for their answers. "
                    "Others get 503.",
     .minimum = 1,
     .maximum = kMostRequests,
     .assign = set_in_config<&Config::limits, &LimitsConfig::max_requests>},
    {.path = "limits.max_reply_bytes",
     .kind = OptionKind::kBytes,
     .default_value = "\"64MiB\"",
     .description = "The maximum size of the reply to one query.",
     .minimum = kMib,
     .maximum = kGib,
     .assign = set_in_config<&Config::limits, &LimitsConfig::max_reply_bytes>},
    {.path = "workers",
     .kind = OptionKind::kSection,
     .description =
         "The processes that make the queries, because these run the code of performance "
         "counter providers. What a provider does wrong ends its worker, which is "
         "replaced, and not the exporter."},
    {.path = "workers.enabled",
     .kind = OptionKind::kBoolean,
     .default_value = "true",
     .description = "Query in worker processes. With false, providers run in the exporter's own "
                    "process, and one that crashes or hangs ends or stops all of it.",
     .assign = set_in_config<&Config::workers, &WorkersConfig::enabled>},
    {.path = "workers.isolation",
     .kind = OptionKind::kChoice,
     .default_value = "\"auto\"",
     .description =
         "How many V1 providers share a worker. registry: all of them, because Windows "
         "calls them all for one query. hosts: each has its own. auto: all of them, until "
         "one of them crashes, hangs, spoils the reply or keeps others waiting; then each has its "
         "own.",
     .choices = kIsolations,
     .assign = set_in_config<&Config::workers, &WorkersConfig::isolation>},
    {.path = "workers.leave_out",
     .kind = OptionKind::kServices,
     .default_value = "[]",
     .description = "V1 providers that are never loaded, by the names of their services, as "
                    "\"winperf_exporter providers\" lists them. Their objects are missing, and "
                    "each of the others has a worker of its own from the start, because Windows "
                    "can't leave a provider out. If one of them has no Object List, countersets "
                    "of V2 providers can't be read through the registry, nor those of 32-bit "
                    "providers.",
     .maximum = kMaxLeftOut,
     .assign = set_in_config<&Config::workers, &WorkersConfig::leave_out>},
    {.path = "workers.shortest_timeout",
     .kind = OptionKind::kDuration,
     .default_value = "\"2s\"",
     .description =
         "The timeout of a query that usually takes much less. That of others is longer, "
         "up to limits.query_timeout.",
     .minimum = 100,
     .maximum = 10 * kMinute,
     .assign = set_in_config<&Config::workers, &WorkersConfig::shortest_timeout>},
    {.path = "workers.max_memory",
     .kind = OptionKind::kBytes,
     .default_value = "\"512MiB\"",
     .description = "A worker that has more memory of its own is replaced.",
     .minimum = 16 * kMib,
     .maximum = 8 * kGib,
     .assign = set_in_config<&Config::workers, &WorkersConfig::max_memory_bytes>},
    {.path = "workers.max_handles",
     .kind = OptionKind::kInteger,
     .default_value = "10000",
     .description = "A worker with more open handles is replaced.",
     .minimum = 100,
     .maximum = 1'000'000,
     .assign = set_in_config<&Config::workers, &WorkersConfig::max_handles>},
    {.path = "workers.max_threads",
     .kind = OptionKind::kInteger,
     .default_value = "500",
     .description = "A worker with more threads is replaced.",
     .minimum = 10,
     .maximum = 100'000,
     .assign = set_in_config<&Config::workers, &WorkersConfig::max_threads>},
    {.path = "reload",
     .kind = OptionKind::kSection,
     .description = "When the running program reads its configuration file again. If the file is "
                    "invalid, nothing changes."},
    {.path = "reload.on_change",
     .kind = OptionKind::kBoolean,
     .default_value = "true",
     .description = "When the file changes.",
     .assign = set_in_config<&Config::reload, &ReloadConfig::on_change>},
    {.path = "reload.http",
     .kind = OptionKind::kBoolean,
     .default_value = "false",
     .description = "On POST /-/reload, from whoever may use the api (see listen.serve).",
     .assign = set_in_config<&Config::reload, &ReloadConfig::http>},
    {.path = "collect",
     .kind = OptionKind::kNames,
     .description =
         "Ready-made sets of countersets, by the names of windows_exporter's collectors: "
         "cpu, memory, iis, mssql, ad, hyperv, dns and so on. Of a set, what the machine "
         "has is sampled, now or later, beside the countersets below. Default: none.",
     .assign = set_in_config<&Config::collect>},
};

}  // namespace

std::span<const Option> config_options() {
  static const std::vector<Option> all = [] {
    std::vector<Option> options(std::begin(kOptions), std::end(kOptions));
    const auto listen_end = std::ranges::find(options, "interval", &Option::path);
    const auto web = web_options();
    options.insert(listen_end, web.begin(), web.end());
    const auto more = counterset_options();
    options.insert(options.end(), more.begin(), more.end());
    const auto facts = fact_options();
    options.insert(options.end(), facts.begin(), facts.end());
    const auto targets = target_options();
    options.insert(options.end(), targets.begin(), targets.end());
    return options;
  }();
  return all;
}

const Option* find_option(std::string_view parent, std::string_view key) {
  const auto options = config_options();
  const auto found = std::ranges::find_if(options, [&](const Option& option) {
    return parent_of(option) == parent && key_of(option) == key;
  });
  return found == options.end() ? nullptr : &*found;
}

std::string_view key_of(const Option& option) {
  return option.path.substr(option.path.rfind('.') + 1);
}

std::string_view parent_of(const Option& option) {
  const std::size_t dot = option.path.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : option.path.substr(0, dot);
}

}  // namespace winperf
