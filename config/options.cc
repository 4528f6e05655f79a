#include "config/options.h"

#include <algorithm>
#include <utility>

#include "collectors/base/wording.h"
#include "config/host_port.h"
#include "config/option_rows.h"
#include "config/values.h"

namespace winperf {
namespace {

// What to write instead; in a list, the entry alone.
std::string correction(const Option& option, std::string_view value) {
  return is_list(option) ? std::string(value) : assignment(option, value);
}

std::expected<std::string, TextError> read_host(const Option& option, const Node& node) {
  const bool has_port = !is_list(option);  // in a key of its own
  const std::string noun = has_port ? "an address" : "a host name";
  const std::string wanted =
      has_port ? "an address or host name" : "a host name or address, without http:// and port";
  if (const auto problem = text_problem(option, node, wanted)) return std::unexpected(*problem);
  const std::string& text = node.text;
  if (const auto parts = split_host_port(text); parts && (has_port || !parts->host.empty())) {
    const std::string host = in_quotes(parts->host.empty() ? "::" : parts->host);
    return refused(
        option, node,
        noun + (text.starts_with('[') ? " without brackets and port" : " without a port"),
        correction(option, host) + (has_port ? ", port: " + parts->port : ""));
  }
  if (text.starts_with('[') && text.ends_with(']') && text.size() > 2) {
    return refused(option, node, noun + " without brackets",
                   correction(option, in_quotes(text.substr(1, text.size() - 2))));
  }
  if (!is_host(text)) return refused(option, node, wanted);
  return text;
}

// A key of the registry has no longer name, and none with a backslash.
std::expected<std::string, TextError> read_service(const Option& option, const Node& node) {
  constexpr std::string_view kWanted = "the name of a service";
  if (const auto problem = text_problem(option, node, kWanted)) return std::unexpected(*problem);
  const std::string& text = node.text;
  if (text.empty() || std::cmp_greater(text.size(), kMaxServiceBytes) ||
      text.find('\\') != std::string::npos)
    return refused(option, node, kWanted);
  return text;
}

ReadValue read_url_path(const Option& option, const Node& node) {
  if (const auto problem = text_problem(option, node, "a path")) return std::unexpected(*problem);
  if (const auto problem = metrics_path_problem(node.text))
    return complaint(option, node, *problem);
  return node.text;
}

constexpr OptionKind kAddress{
    .read = read_one<read_host>,
    .words = "address or host name",
    .schema = R"({"type": "string", "minLength": {min}, "maxLength": {max}})",
    .written = Written::kQuoted};

constexpr OptionKind kHosts{.read = read_list_of<read_host>,
                            .words = "host name, or list of up to {max}",
                            .entry = R"({"type": "string", "minLength": 1, "maxLength": 255})",
                            .schema = R"({"type": "array", "items": {entry}, "maxItems": {max}})",
                            .example = "[\"metrics.example.com\"]",
                            .written = Written::kList};

constexpr OptionKind kServices{
    .read = read_list_of<read_service>,
    .words = "service's name, or list of up to {max}",
    .entry = R"({"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[^\\\\]+$"})",
    .schema = R"({"type": "array", "items": {entry}, "maxItems": {max}})",
    .example = "[\"ContosoAgent\"]",
    .written = Written::kList};

constexpr OptionKind kUrlPath{
    .read = read_url_path,
    .words = "path",
    .schema = R"({"type": "string", "pattern": "^/[A-Za-z0-9/._~-]+$", "maxLength": {max}})",
    .written = Written::kQuoted};

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
     .takes = {OptionKind::kListen, 1, kMaxAddresses},
     .description = "Where the HTTP server listens: an object with the keys below, or a list of "
                    "such objects, one for each address."},
    {.path = "listen.address",
     .takes = {kAddress, 1, kMaxHostBytes},
     .default_value = "\"::\"",
     .description = "Address or host name of the interface. \"::\": every interface, IPv4 and "
                    "IPv6. \"0.0.0.0\": every IPv4 interface. \"127.0.0.1\": this machine only.",
     .assign = set<&ListenConfig::address>},
    {.path = "listen.port",
     .takes = {OptionKind::kInteger, 0, 65535},
     .default_value = "10182",
     .description = "TCP port. windows_exporter uses 9182; 0 selects any free port.",
     .assign = set<&ListenConfig::port>},
    {.path = "listen.serve",
     .takes = {OptionKind::kWords, kServed},
     .description =
         "What everyone who reaches this address may read. metrics: /metrics, /probe and "
         "/api/v1/targets. api: the rest of /api/v1, /version, and /-/reload if reload.http is "
         "true. page: /. If the key "
         "is missing: metrics for everyone, the api and the page for this machine only. "
         "Health checks are always served.",
     .assign = set<&ListenConfig::serve>},
    {.path = "listen.hosts",
     .takes = {kHosts, 32},
     .default_value = "[]",
     .description = "Further host names under which browsers may open the api and the page, such "
                    "as an alias in DNS. This machine's own names, localhost and IP addresses "
                    "always work.",
     .assign = set<&ListenConfig::hosts>},
    {.path = "interval",
     .takes = {OptionKind::kDuration, kSecond, kHour, kIntervalFloor},
     .default_value = "\"5s\"",
     .description = "Sampling interval for countersets that don't set their own.",
     .assign = set<&Config::interval>},
    {.path = "stale_after",
     .takes = {OptionKind::kDuration, 2 * kSecond, 24 * kHour},
     .description =
         "How old values may get before they are no longer shown; longer than the interval and "
         "what a query takes. Default, also for countersets whose own interval is as long or "
         "longer: two and a half intervals, at least 10 s.",
     .assign = set<&Config::stale_after>},
    {.path = "discovery_interval",
     .takes = {OptionKind::kDuration, 5 * kSecond, kHour,
               "a look opens every provider of the machine"},
     .default_value = "\"30s\"",
     .description =
         "How often the program looks for countersets that match the patterns below, and "
         "for those that are gone. Without a pattern it looks until it has found out once, and "
         "after each change of the configuration or of what is registered.",
     .assign = set<&Config::discovery_interval>},
    {.path = "language",
     .takes = {OptionKind::kChoice, kLanguages},
     .default_value = "\"english\"",
     .description = "The language of the names of countersets and counters in this file: English, "
                    "or the language of the machine.",
     .assign = set<&Config::language>},
    {.path = "path",
     .takes = {OptionKind::kChoice, kPaths},
     .default_value = "\"auto\"",
     .description = "Which Windows API counters are read through. auto: PerfLib for countersets "
                    "registered by V2 providers, falling back to the registry if that fails; the "
                    "registry for everything else. registry or perflib: that API only.",
     .assign = set<&Config::path>},
    {.path = "log", .description = "The program's own log."},
    {.path = "log.level",
     .takes = {OptionKind::kChoice, kLogLevels},
     .default_value = "\"info\"",
     .description = "The minimum level of messages in the log.",
     .assign = set<&Config::log, &LogConfig::level>},
    {.path = "log.format",
     .takes = {OptionKind::kChoice, kLogFormats},
     .default_value = "\"text\"",
     .description = "text: lines for people. json: one JSON object per line.",
     .assign = set<&Config::log, &LogConfig::format>},
    {.path = "log.file",
     .takes = {OptionKind::kFile, 4096},
     .default_value = "\"\"",
     .description = "The log file; a relative path starts at the folder of the configuration file. "
                    "Empty: standard error; for a service, the event log only.",
     .example = "winperf_exporter.log",
     .assign = set<&Config::log, &LogConfig::file>},
    {.path = "log.max_bytes",
     .takes = {OptionKind::kBytes, 64 * 1024, kGib},
     .default_value = "\"10MiB\"",
     .description = "The size at which the program starts a new log file.",
     .assign = set<&Config::log, &LogConfig::max_bytes>},
    {.path = "log.max_files",
     .takes = {OptionKind::kInteger, 1, 100},
     .default_value = "5",
     .description = "The number of full log files to keep beside the current one.",
     .assign = set<&Config::log, &LogConfig::max_files>},
    {.path = "metrics", .description = "Which metrics are exposed."},
    {.path = "metrics.profiles",
     .takes = {OptionKind::kWords, kProfiles},
     .default_value = "[\"winperf\"]",
     .description =
         "Whose metric names are exposed; any of these at once. winperf: this program's own. "
         "windows_exporter: those of windows_exporter, with its labels and units. "
         "windows_exporter_legacy: those that it has renamed or dropped, and dashboards still "
         "ask for.",
     .assign = set<&Config::metrics, &MetricsConfig::profiles>},
    {.path = "metrics.total_instances",
     .takes = {OptionKind::kBoolean},
     .default_value = "false",
     .description = "Also expose instances that add up the others, such as _Total. sum() would "
                    "count them twice.",
     .assign = set<&Config::metrics, &MetricsConfig::total_instances>},
    {.path = "metrics.values",
     .takes = {OptionKind::kChoice, kMetricValues},
     .default_value = "\"both\"",
     .description =
         "Which values are exposed. raw: running totals, to which rate() applies. "
         "cooked: the numbers that perfmon computes between two samples, as gauges. "
         "both: both. Numbers that perfmon shows as they are, such as sizes, are exposed "
         "in each case.",
     .assign = set<&Config::metrics, &MetricsConfig::values>},
    {.path = "metrics.created",
     .takes = {OptionKind::kBoolean},
     .default_value = "false",
     .description = "In OpenMetrics, say since when a counter counts (..._created), where that is "
                    "known: for processes and threads whose Elapsed Time is sampled, and for what "
                    "the exporter counts since its start.",
     .assign = set<&Config::metrics, &MetricsConfig::created>},
    {.path = "metrics.cap_percentages",
     .takes = {OptionKind::kBoolean},
     .default_value = "false",
     .description = "Cap the percentages that perfmon shows at 100. Otherwise they may exceed 100, "
                    "for example if a processor runs above its base clock.",
     .assign = set<&Config::metrics, &MetricsConfig::cap_percentages>},
    {.path = "metrics.path",
     .takes = {kUrlPath, 200},
     .default_value = "\"/metrics\"",
     .description = "The path of the page with the metrics.",
     .assign = set<&Config::metrics, &MetricsConfig::path>},
    {.path = "metrics.exporter",
     .takes = {OptionKind::kBoolean},
     .default_value = "true",
     .description =
         "Also expose metrics about the exporter's own process and HTTP server. Those "
         "about countersets, workers, providers, the configuration, the log and certificates "
         "are always there.",
     .assign = set<&Config::metrics, &MetricsConfig::exporter>},
    {.path = "limits",
     .description =
         "Limits for queries to the performance counter providers, and for what is served."},
    {.path = "limits.query_timeout",
     .takes = {OptionKind::kDuration, kSecond, 10 * kMinute},
     .default_value = "\"10s\"",
     .description = "The timeout of one query, including all attempts.",
     .assign = set<&Config::limits, &LimitsConfig::query_timeout>},
    {.path = "limits.max_series",
     .takes = {OptionKind::kInteger, 1000, 10'000'000},
     .default_value = "200000",
     .description = "The maximum number of series on /metrics, apart from the exporter's own. A "
                    "counterset for which there is no room is left out as a whole; those before it "
                    "in the list have theirs.",
     .assign = set<&Config::limits, &LimitsConfig::max_series>},
    {.path = "limits.max_requests",
     .takes = {OptionKind::kInteger, 1, kMostRequests},
     .default_value = "1024",
     .description = "The maximum number of requests to one address that wait for their answers. "
                    "Others get 503.",
     .assign = set<&Config::limits, &LimitsConfig::max_requests>},
    {.path = "limits.max_reply_bytes",
     .takes = {OptionKind::kBytes, kMib, kGib},
     .default_value = "\"64MiB\"",
     .description = "The maximum size of the reply to one query.",
     .assign = set<&Config::limits, &LimitsConfig::max_reply_bytes>},
    {.path = "workers",
     .description =
         "The processes that make the queries, because these run the code of performance "
         "counter providers. What a provider does wrong ends its worker, which is "
         "replaced, and not the exporter."},
    {.path = "workers.enabled",
     .takes = {OptionKind::kBoolean},
     .default_value = "true",
     .description = "Query in worker processes. With false, providers run in the exporter's own "
                    "process, and one that crashes or hangs ends or stops all of it.",
     .assign = set<&Config::workers, &WorkersConfig::enabled>},
    {.path = "workers.isolation",
     .takes = {OptionKind::kChoice, kIsolations},
     .default_value = "\"auto\"",
     .description =
         "How many V1 providers share a worker. registry: all of them, because Windows "
         "calls them all for one query. hosts: each has its own. auto: all of them, until "
         "one of them crashes, hangs, spoils the reply or keeps others waiting; then each has its "
         "own.",
     .assign = set<&Config::workers, &WorkersConfig::isolation>},
    {.path = "workers.leave_out",
     .takes = {kServices, kMaxLeftOut},
     .default_value = "[]",
     .description = "V1 providers that are never loaded, by the names of their services, as "
                    "\"winperf_exporter providers\" lists them. Their objects are missing, and "
                    "each of the others has a worker of its own from the start, because Windows "
                    "can't leave a provider out. If one of them has no Object List, countersets "
                    "of V2 providers can't be read through the registry, nor those of 32-bit "
                    "providers.",
     .assign = set<&Config::workers, &WorkersConfig::leave_out>},
    {.path = "workers.shortest_timeout",
     .takes = {OptionKind::kDuration, 100, 10 * kMinute},
     .default_value = "\"2s\"",
     .description =
         "The timeout of a query that usually takes much less. That of others is longer, "
         "up to limits.query_timeout.",
     .assign = set<&Config::workers, &WorkersConfig::shortest_timeout>},
    {.path = "workers.max_memory",
     .takes = {OptionKind::kBytes, 16 * kMib, 8 * kGib},
     .default_value = "\"512MiB\"",
     .description = "A worker that has more memory of its own is replaced.",
     .assign = set<&Config::workers, &WorkersConfig::max_memory_bytes>},
    {.path = "workers.max_handles",
     .takes = {OptionKind::kInteger, 100, 1'000'000},
     .default_value = "10000",
     .description = "A worker with more open handles is replaced.",
     .assign = set<&Config::workers, &WorkersConfig::max_handles>},
    {.path = "workers.max_threads",
     .takes = {OptionKind::kInteger, 10, 100'000},
     .default_value = "500",
     .description = "A worker with more threads is replaced.",
     .assign = set<&Config::workers, &WorkersConfig::max_threads>},
    {.path = "reload",
     .description = "When the running program reads its configuration file again. If the file is "
                    "invalid, nothing changes."},
    {.path = "reload.on_change",
     .takes = {OptionKind::kBoolean},
     .default_value = "true",
     .description = "When the file changes.",
     .assign = set<&Config::reload, &ReloadConfig::on_change>},
    {.path = "reload.http",
     .takes = {OptionKind::kBoolean},
     .default_value = "false",
     .description = "On POST /-/reload, from whoever may use the api (see listen.serve).",
     .assign = set<&Config::reload, &ReloadConfig::http>},
    {.path = "collect",
     .takes = {OptionKind::kNames},
     .description =
         "Ready-made sets of countersets, by the names of windows_exporter's collectors: "
         "cpu, memory, iis, mssql, ad, hyperv, dns and so on. Of a set, what the machine "
         "has is sampled, now or later, beside the countersets below. Default: none.",
     .shown = "[\"iis\", \"mssql\"]",
     .assign = set<&Config::collect>},
};

}  // namespace

std::span<const Option> config_options() {
  static const std::vector<Option> all = [] {
    std::vector<Option> options(std::begin(kOptions), std::end(kOptions));
    const auto listen_end = std::ranges::find(options, "interval", &Option::path);
    const auto web = web_options();
    options.insert(listen_end, web.begin(), web.end());
    const auto sampled = sampled_options();
    options.insert(options.end(), sampled.begin(), sampled.end());
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
