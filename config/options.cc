#include "config/options.h"

#include <algorithm>
#include <utility>

#include "collectors/base/ascii.h"
#include "collectors/base/wording.h"
#include "config/hosts.h"
#include "config/values.h"

namespace winperf {
namespace {

// What to write instead; in a list, the entry alone.
std::string correction(const Option& option, std::string_view value) {
  return is_list(option) ? std::string(value) : assignment(option, value);
}

std::expected<std::string, TextError> read_host(const Option& option, const Node& node) {
  const bool has_port = !is_list(option);  // not in a list
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

// As browsers write it, because it is compared byte by byte.
bool is_origin(std::string_view text) {
  const std::size_t scheme_end = text.find("://");
  if (scheme_end == std::string_view::npos) return false;
  const std::string_view scheme = text.substr(0, scheme_end);
  const std::string_view authority = text.substr(scheme_end + 3);
  const bool is_lower = std::ranges::none_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
  const bool has_usual_port =
      authority.ends_with(scheme == "https" ? std::string_view(":443") : std::string_view(":80"));
  if (scheme != "http" && scheme != "https") return false;
  const auto parts = split_host_port(authority);
  const bool is_ipv6 = authority.starts_with('[') && authority.ends_with(']');
  const std::string host = parts ? parts->host : std::string(authority);
  constexpr std::size_t kMostDigits = 5;
  if (parts && (parts->port.empty() || parts->port.size() > kMostDigits ||
                !std::ranges::all_of(parts->port, is_digit)))
    return false;
  const bool is_known =
      is_ipv6 ? is_host(authority.substr(1, authority.size() - 2)) : !host.empty() && is_host(host);
  return is_lower && is_known && !has_usual_port;
}

std::expected<std::string, TextError> read_origin(const Option& option, const Node& node) {
  return read_text_if(option, node, "an origin in lower case, without a path", is_origin);
}

// The name of a registry key: bounded, and without a backslash.
std::expected<std::string, TextError> read_service(const Option& option, const Node& node) {
  return read_text_if(option, node, "the name of a service", [](const std::string& text) {
    return !text.empty() && text.size() <= kMaxServiceBytes && !text.contains('\\');
  });
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

constexpr OptionKind kOrigins{
    .read = read_list_of<read_origin>,
    .words = "origin, or list of up to {max}",
    .entry = R"({"type": "string", "pattern": "^https?://[^/A-Z]+$", "maxLength": 255})",
    .schema = R"({"type": "array", "items": {entry}, "maxItems": {max}})",
    .example = "[\"https://grafana.example.com\"]",
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

constexpr Choice kOwnCounters[] = {
    {"v1", OwnCountersRoad::kV1}, {"v2", OwnCountersRoad::kV2}, {"none", OwnCountersRoad::kNone}};

constexpr Choice kDetails[] = {{"usual", PageDetail::kUsual}, {"full", PageDetail::kFull}};

constexpr Option kOptions[] = {
    Option("listen", {OptionKind::kListen, 1, kMaxAddresses}, "",
           "Where the HTTP server listens: an object with the keys below, or a list of such "
           "objects, one for each address."),
    Option("listen.address", {kAddress, 1, kMaxHostBytes}, "\"::\"",
           "Address or host name of the interface. \"::\": every interface, IPv4 and IPv6. "
           "\"0.0.0.0\": every IPv4 interface. \"127.0.0.1\": this machine only.",
           set<&ListenConfig::address>),
    Option("listen.port", {OptionKind::kInteger, 0, 65535}, "10182",
           "TCP port. windows_exporter uses 9182; 0 selects any free port.",
           set<&ListenConfig::port>),
    Option("listen.serve", {OptionKind::kWords, kServed}, "",
           "What any client of this address may read. metrics: /metrics, /probe and "
           "/api/v1/targets. api: the rest of /api/v1, /version, and /-/reload if reload.http is "
           "true. page: / and its files. If the key is missing: metrics for all clients, the api "
           "and the page "
           "for this machine only. Health checks are always served.",
           set<&ListenConfig::serve>),
    Option("listen.hosts", {kHosts, 32}, "[]",
           "Further host names under which browsers may open the api and the page, such as an "
           "alias in DNS. This machine's own names, localhost and IP addresses always work.",
           set<&ListenConfig::hosts>),
    Option("listen.cors", {kOrigins, 16}, "[]",
           "Origins, such as https://grafana.example.com, whose pages may read the api in a "
           "browser that may use it (see listen.serve).",
           set<&ListenConfig::cors>),
    Option("interval", {OptionKind::kDuration, kSecond, kHour, kIntervalFloor}, "\"5s\"",
           "Sampling interval of countersets that set none.", set<&Config::interval>),
    Option(
        "stale_after", {OptionKind::kDuration, 2 * kSecond, 24 * kHour}, "",
        "The age at which values are stale and no longer shown; must be longer than the interval "
        "plus the duration of a query. Default: two and a half intervals, at least 10 s; this also "
        "applies to countersets whose own interval is not shorter than stale_after.",
        set<&Config::stale_after>),
    Option(
        "discovery_interval",
        {OptionKind::kDuration, 5 * kSecond, kHour, "a discovery run opens every provider"},
        "\"30s\"",
        "How often discovery searches for countersets that match the patterns below, and for "
        "countersets that were removed. Without a pattern, discovery runs until it has succeeded "
        "once, and after each change of the configuration or of the registered providers.",
        set<&Config::discovery_interval>),
    Option("language", {OptionKind::kChoice, kLanguages}, "\"english\"",
           "The language of the names of countersets and counters in this file: English, or the "
           "language of the machine.",
           set<&Config::language>),
    Option("path", {OptionKind::kChoice, kPaths}, "\"auto\"",
           "The Windows API that counters are read through. auto: PerfLib for countersets "
           "registered by V2 providers, falling back to the registry if that fails; the registry "
           "for everything else. registry or perflib: that API only.",
           set<&Config::path>),
    Option("log", {}, "", "The log of the exporter."),
    Option("log.level", {OptionKind::kChoice, kLogLevels}, "\"info\"",
           "The minimum level of messages in the log.", set<&Config::log, &LogConfig::level>),
    Option("log.format", {OptionKind::kChoice, kLogFormats}, "\"text\"",
           "text: readable lines. json: one JSON object per line.",
           set<&Config::log, &LogConfig::format>),
    Option("log.file", {OptionKind::kFile, 4096}, "\"\"",
           "The log file; a relative path starts at the folder of the configuration file. Empty: "
           "standard error; for a service, the event log only.",
           set<&Config::log, &LogConfig::file>, "", "winperf_exporter.log"),
    Option("log.max_bytes", {OptionKind::kBytes, 64 * 1024, kGib}, "\"10MiB\"",
           "The size at which the program starts a new log file.",
           set<&Config::log, &LogConfig::max_bytes>),
    Option("log.max_files", {OptionKind::kInteger, 1, 100}, "5",
           "The number of full log files to keep in addition to the current one.",
           set<&Config::log, &LogConfig::max_files>),
    Option("metrics", {}, "", "Which metrics are exposed."),
    Option("metrics.profiles", {OptionKind::kWords, kProfiles}, "[\"winperf\"]",
           "Which metric names are exposed, one profile or several. winperf: the names of this "
           "program. windows_exporter: those of windows_exporter, with its labels and units. "
           "windows_exporter_legacy: those that windows_exporter has renamed or dropped, for "
           "dashboards that still use them.",
           set<&Config::metrics, &MetricsConfig::profiles>),
    Option("metrics.detail", {OptionKind::kChoice, kDetails}, "\"usual\"",
           "How much of the samples is exposed. usual: what a fleet needs, which is the leading "
           "processes, the current state of a service or another thing with states, and of the "
           "numbers that perfmon computes those that Task Manager shows. full: everything. The "
           "API and the commands always have everything.",
           set<&Config::metrics, &MetricsConfig::detail>),
    Option("metrics.leading_processes", {OptionKind::kInteger, 1, 100'000}, "10",
           "With detail: usual, how many processes are exposed: those that use the most processor "
           "time and memory. This does not limit a counterset with instances.include, "
           "instances.max or metrics.",
           set<&Config::metrics, &MetricsConfig::leading_processes>),
    Option("metrics.total_instances", OptionKind::kBoolean, "false",
           "Also expose instances that add up the others, such as _Total. sum() would count them "
           "twice.",
           set<&Config::metrics, &MetricsConfig::total_instances>),
    Option("metrics.values", {OptionKind::kChoice, kMetricValues}, "\"both\"",
           "Which values are exposed. raw: running totals, to which rate() applies. cooked: the "
           "numbers that perfmon computes from two samples, as gauges. both: both; of the cooked "
           "ones, detail: usual has few. Values that perfmon shows unchanged, such as sizes, are "
           "always exposed.",
           set<&Config::metrics, &MetricsConfig::values>),
    Option("metrics.created", OptionKind::kBoolean, "false",
           "In OpenMetrics, expose the creation time of counters (..._created) where it is known: "
           "for processes and threads whose Elapsed Time is sampled, and for counters of the "
           "exporter itself.",
           set<&Config::metrics, &MetricsConfig::created>),
    Option("metrics.cap_percentages", OptionKind::kBoolean, "false",
           "Cap the percentages that perfmon shows at 100. Otherwise they may exceed 100, for "
           "example if a processor runs above its base clock.",
           set<&Config::metrics, &MetricsConfig::cap_percentages>),
    Option("metrics.path", {kUrlPath, 200}, "\"/metrics\"",
           "The path of the page with the metrics.", set<&Config::metrics, &MetricsConfig::path>),
    Option("metrics.exporter", OptionKind::kBoolean, "true",
           "Also expose metrics about the exporter's own process and HTTP server. Metrics about "
           "countersets, workers, providers, the configuration, the log and certificates are "
           "always exposed.",
           set<&Config::metrics, &MetricsConfig::exporter>),
    Option("limits", {}, "", "Limits for queries to providers and for HTTP."),
    Option("limits.query_timeout", {OptionKind::kDuration, kSecond, 10 * kMinute}, "\"10s\"",
           "The timeout of one query, including all attempts.",
           set<&Config::limits, &LimitsConfig::query_timeout>),
    Option("limits.max_series", {OptionKind::kInteger, 1000, 10'000'000}, "200000",
           "The maximum number of series on /metrics, apart from the exporter's own. A counterset "
           "that would exceed it is left out as a whole; countersets earlier in the list take "
           "precedence.",
           set<&Config::limits, &LimitsConfig::max_series>),
    Option("limits.max_requests", {OptionKind::kInteger, 1, kMostRequests}, "1024",
           "The maximum number of pending requests per address. Further requests are answered with "
           "503.",
           set<&Config::limits, &LimitsConfig::max_requests>),
    Option("limits.max_reply_bytes", {OptionKind::kBytes, kMib, kGib}, "\"64MiB\"",
           "The maximum size of the reply to one query.",
           set<&Config::limits, &LimitsConfig::max_reply_bytes>),
    Option("workers", {}, "",
           "Processes that load the providers and query them. If a provider crashes or hangs, its "
           "worker is replaced and the exporter keeps running."),
    Option("workers.enabled", OptionKind::kBoolean, "true",
           "Query providers in worker processes. If false, providers run in the exporter's "
           "process, where a crash ends the exporter and a hang blocks it.",
           set<&Config::workers, &WorkersConfig::enabled>),
    Option("workers.isolation", {OptionKind::kChoice, kIsolations}, "\"auto\"",
           "How many V1 providers share a worker. registry: all of them, because Windows calls "
           "them all for one query. hosts: each provider has a provider host. auto: all of them "
           "share a worker until one crashes, hangs, damages the reply or delays the others; then "
           "each provider has a provider host.",
           set<&Config::workers, &WorkersConfig::isolation>),
    Option(
        "workers.leave_out", {kServices, kMaxLeftOut}, "[]",
        "V1 providers that are never loaded, by service name as listed by \"winperf_exporter "
        "providers\". Their objects are missing. Each other provider has a provider host from the "
        "start, because Windows itself cannot leave a provider out. If a provider listed here has "
        "no Object List, the registry path cannot read countersets of V2 and 32-bit providers.",
        set<&Config::workers, &WorkersConfig::leave_out>),
    Option("workers.shortest_timeout", {OptionKind::kDuration, 100, 10 * kMinute}, "\"2s\"",
           "The timeout of queries that usually take much less. Slower queries have a longer one, "
           "up to limits.query_timeout.",
           set<&Config::workers, &WorkersConfig::shortest_timeout>),
    Option("workers.max_memory", {OptionKind::kBytes, 16 * kMib, 8 * kGib}, "\"512MiB\"",
           "A worker with more private memory is replaced.",
           set<&Config::workers, &WorkersConfig::max_memory_bytes>),
    Option("workers.max_handles", {OptionKind::kInteger, 100, 1'000'000}, "10000",
           "A worker with more open handles is replaced.",
           set<&Config::workers, &WorkersConfig::max_handles>),
    Option("workers.max_threads", {OptionKind::kInteger, 10, 100'000}, "500",
           "A worker with more threads is replaced.",
           set<&Config::workers, &WorkersConfig::max_threads>),
    Option("reload", {}, "",
           "When the running program reads its configuration file again. If the file is invalid, "
           "nothing changes."),
    Option("reload.on_change", OptionKind::kBoolean, "true", "When the file changes.",
           set<&Config::reload, &ReloadConfig::on_change>),
    Option("reload.http", OptionKind::kBoolean, "false",
           "On POST /-/reload, from clients that may use the api (see listen.serve).",
           set<&Config::reload, &ReloadConfig::http>),
    Option("own_counters", {OptionKind::kChoice, kOwnCounters}, "\"v1\"",
           "How perfmon and other monitors on this machine get the exporter's own counters. v1: "
           "through its performance extension DLL, which all of them read. v2: as a V2 provider. "
           "none: not at all. \"winperf_exporter service install\" registers what this says.",
           set<&Config::own_counters>),
    Option("collect", OptionKind::kNames, "",
           "Collector sets, named like windows_exporter's collectors: cpu, memory, iis, mssql, ad, "
           "hyperv, dns and so on. The countersets of a set are sampled if they exist, now or "
           "later, in addition to those that the key countersets lists; the default countersets "
           "are not sampled then. Default: none.",
           set<&Config::collect>, "[\"iis\", \"mssql\"]"),
};

}  // namespace

std::span<const Option> config_options() {
  static const std::vector<Option> all = [] {
    std::vector<Option> options(std::begin(kOptions), std::end(kOptions));
    const auto listen_end = std::ranges::find(options, "interval", &Option::path);
    const auto web = web_options();
    options.insert(listen_end, web.begin(), web.end());
    const auto recorder = recorder_options();
    options.insert(std::ranges::find(options, "own_counters", &Option::path), recorder.begin(),
                   recorder.end());
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
