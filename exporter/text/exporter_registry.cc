#include "exporter/text/exporter_registry.h"

#include <array>
#include <string>
#include <utility>

namespace winperf {
namespace {

constexpr OwnFamily kBuildInfo = own_gauge(
    "winperf_exporter_build_info", "Version and build of the exporter; the value is always 1.",
    {"arch", "compiler", "os", "revision", "version"});
constexpr OwnFamily kStartTime =
    own_gauge("process_start_time_seconds", "When the process was started.");

constexpr OwnFamily kRequests =
    own_counter("winperf_exporter_http_requests_total",
                "HTTP requests answered, by route and status code.", {"code", "route"});
constexpr OwnFamily kShed = own_counter(
    "winperf_exporter_http_shed_total",
    "HTTP connections closed, or requests refused, to protect the others, by reason.", {"reason"});
constexpr OwnFamily kConnections =
    own_gauge("winperf_exporter_http_connections", "HTTP connections that are open.");
constexpr OwnFamily kQueue = own_gauge("winperf_exporter_http_queue_length",
                                       "HTTP requests that wait for a thread to answer them.");
constexpr OwnFamily kThreads =
    own_gauge("winperf_exporter_http_threads",
              "Threads that serve HTTP: for each address that is listened on, one for its "
              "connections and those that make answers.");
constexpr OwnFamily kEarlyScrapes =
    own_counter("winperf_exporter_early_scrapes_total",
                "Scrapes by a client whose previous one was less than a sampling interval ago: "
                "some values are the same in both, so that rates jump.");
constexpr OwnFamily kRenderings = own_counter(
    "winperf_exporter_renderings_total",
    "Samples rendered as a page; scrapes of the same sample in the same format share one page.");

// Both families are there once an address has TLS; that of failures once one is known.
constexpr OwnFamily kHandshakeFailures =
    own_counter("winperf_exporter_tls_handshake_failures_total",
                "TLS handshakes that did not succeed, by reason.", {"reason"});
constexpr OwnFamily kCertificateExpiry =
    own_gauge("winperf_exporter_tls_certificate_expiry_timestamp_seconds",
              "When the certificate of an address that is listened on expires, or one of those "
              "that it is sent with if that is earlier.",
              {"address"});
constexpr OwnFamily kCertificateStart = own_gauge(
    "winperf_exporter_tls_certificate_start_timestamp_seconds",
    "Since when all certificates that an address sends are valid; it may be in the future.",
    {"address"});

constexpr OwnFamily kReloads =
    own_counter("winperf_exporter_config_reloads_total",
                "Times that the running program read its configuration again.");
constexpr OwnFamily kReloadFailures =
    own_counter("winperf_exporter_config_reload_failures_total",
                "Times that the running program did not use the configuration it had read again, "
                "because it was invalid or could not be applied.");
constexpr OwnFamily kReloadSuccessful = own_gauge(
    "winperf_exporter_config_last_reload_successful",
    "Whether the configuration that was read last is in use; 0: an earlier one still is.");
constexpr OwnFamily kReloadTime =
    own_gauge("winperf_exporter_config_last_reload_success_timestamp_seconds",
              "When the configuration in use was read.");
constexpr OwnFamily kAbandonedMatches =
    own_counter("winperf_exporter_abandoned_matches_total",
                "Names for which a filter pattern hit its match limit; they count as not matched.",
                {"counterset"});

constexpr OwnFamily kLogWritten = own_gauge("winperf_exporter_log_written",
                                            "Whether lines can be written to the log; 0: they are "
                                            "lost, and the event log or standard error says why.");
constexpr OwnFamily kLogLost = own_counter("winperf_exporter_log_lost_lines_total",
                                           "Lines that could not be written to the log.");

constexpr OwnFamily kDiscoveries =
    own_counter("winperf_exporter_discoveries_total",
                "Looks for the countersets that the machine has, by result.", {"result"});
constexpr OwnFamily kDiscoverySuccess =
    own_gauge("winperf_exporter_discovery_success",
              "1 if the last look for the countersets that the machine has succeeded; 0 if not.");
constexpr OwnNumber<DiscoveryReport> kDiscovery[] = {
    {own_gauge("winperf_exporter_discovery_known_countersets",
               "Countersets that the last look has found."),
     [](const DiscoveryReport& report) { return report.inventory.countersets.size(); }},
    {own_gauge("winperf_exporter_discovery_sampled_countersets",
               "Those of them that the configuration selects."),
     [](const DiscoveryReport& report) { return report.sampled.size(); }},
    {own_gauge("winperf_exporter_discovery_absent_countersets",
               "Countersets that the configuration names and the last look, if it was whole, has "
               "not found."),
     [](const DiscoveryReport& report) { return report.absent.size(); }},
    {own_gauge("winperf_exporter_discovery_duration_seconds", "How long the last look took."),
     [](const DiscoveryReport& report) { return report.inventory.took.count(); }},
    {own_gauge("winperf_exporter_discovery_reply_bytes",
               "What providers delivered for the last look."),
     [](const DiscoveryReport& report) { return report.inventory.bytes; }},
    {own_gauge("winperf_exporter_discovery_metadata",
               "Whether the system supports metadata, so that a look collects no values."),
     [](const DiscoveryReport& report) { return report.inventory.supports_metadata; }},
    {own_gauge("winperf_exporter_discovery_problems", "Parts that the last look could not read."),
     [](const DiscoveryReport& report) { return report.inventory.problems.size(); }},
    {own_gauge("winperf_exporter_discovery_last_success_timestamp_seconds",
               "When the last look that succeeded was."),
     [](const DiscoveryReport& report) { return report.at ? unix_seconds(*report.at) : 0; }},
};

// Under the names that all exporters use.
constexpr OwnNumber<ProcessFacts> kOfTheProcess[] = {
    {own_counter("process_cpu_seconds_total",
                 "Processor time of the exporter's process, without that of its worker processes."),
     [](const ProcessFacts& facts) { return facts.cpu_seconds; }},
    {own_gauge("process_open_fds", "Open handles of the process."),
     [](const ProcessFacts& facts) { return facts.open_handles; }},
    {own_gauge("process_resident_memory_bytes", "Physical memory of the process."),
     [](const ProcessFacts& facts) { return facts.resident_bytes; }},
    {own_gauge("process_virtual_memory_bytes", "Committed memory of the process."),
     [](const ProcessFacts& facts) { return facts.committed_bytes; }},
};

bool is_essential(std::string_view name) {
  return name == kBuildInfo.name || name.starts_with("winperf_exporter_config_") ||
         name.starts_with("winperf_exporter_log_") || name.starts_with("winperf_exporter_tls_");
}

auto& counters(prometheus::Registry& registry, const OwnFamily& family) {
  return prometheus::BuildCounter().Name(family.name).Help(family.help).Register(registry);
}
auto& gauges(prometheus::Registry& registry, const OwnFamily& family) {
  return prometheus::BuildGauge().Name(family.name).Help(family.help).Register(registry);
}

}  // namespace

ExporterRegistry::ExporterRegistry(BuildInfo build, Ticks100ns started_at,
                                   std::function<ProcessFacts()> facts)
    : build_(std::move(build)), started_at_(unix_seconds(started_at)), facts_(std::move(facts)) {
  gauge(kBuildInfo, {build_.arch, build_.compiler, build_.os, build_.revision, build_.version})
      .Set(1);
  gauge(kStartTime).Set(started_at_);
  gauge(kReloadTime).Set(started_at_);
  gauge(kReloadSuccessful).Set(1);
  gauge(kLogWritten).Set(1);
  // The others begin with 0, so that the first event is an increase.
  for (const OwnFamily* const zero : {&kConnections, &kQueue, &kThreads}) gauge(*zero);
  for (const OwnFamily* const zero :
       {&kRenderings, &kEarlyScrapes, &kReloads, &kReloadFailures, &kLogLost})
    counter(*zero);
}

ExporterRegistry::Series& ExporterRegistry::series(const OwnFamily& family, Labels labels) {
  const std::lock_guard lock(mutex_);
  Key key{family.name, {labels.begin(), labels.end()}};
  if (const auto known = series_.find(key); known != series_.end()) return known->second;
  prometheus::Labels named;
  for (std::size_t i = 0; i < labels.size(); ++i)
    named.emplace(family.label_names.at(i), labels.begin()[i]);
  Series made{.family = &family};  // in the map when it is whole: there may be no memory
  if (family.counts())
    made.counter = &counters(registry_, family).Add(named);
  else
    made.gauge = &gauges(registry_, family).Add(named);
  return series_.emplace(std::move(key), made).first->second;
}

prometheus::Counter& ExporterRegistry::counter(const OwnFamily& family, Labels labels) {
  return *series(family, labels).counter;
}

prometheus::Gauge& ExporterRegistry::gauge(const OwnFamily& family, Labels labels) {
  return *series(family, labels).gauge;
}

void ExporterRegistry::remove_gauge(const OwnFamily& family, Labels labels) {
  const std::lock_guard lock(mutex_);
  const auto place = series_.find({family.name, {labels.begin(), labels.end()}});
  if (place == series_.end()) return;
  gauges(registry_, family).Remove(place->second.gauge);
  series_.erase(place);
}

void ExporterRegistry::count_request(std::string_view route, int code) {
  counter(kRequests, {std::to_string(code), route}).Increment();
}

void ExporterRegistry::count_shed(std::string_view reason, int count) {
  counter(kShed, {reason}).Increment(count);
}

void ExporterRegistry::count_handshake_failure(std::string_view reason, int count) {
  counter(kHandshakeFailures, {reason}).Increment(count);
}

void ExporterRegistry::show_certificate(std::string_view address,
                                        std::optional<Validity> validity) {
  const auto show = [&](const OwnFamily& definition, std::chrono::sys_seconds Validity::* time) {
    if (!validity) return remove_gauge(definition, {address});
    gauge(definition, {address})
        .Set(static_cast<double>(((*validity).*time).time_since_epoch().count()));
  };
  show(kCertificateExpiry, &Validity::ends);
  show(kCertificateStart, &Validity::begins);
}

void ExporterRegistry::show_log(bool is_written, std::uint64_t lost) {
  gauge(kLogWritten).Set(is_written ? 1 : 0);
  prometheus::Counter& known = counter(kLogLost);
  known.Increment(static_cast<double>(lost) - known.Value());
}

void ExporterRegistry::change_http_load(const HttpLoad& difference) {
  gauge(kConnections).Increment(static_cast<double>(difference.connections));
  gauge(kQueue).Increment(static_cast<double>(difference.queue));
  gauge(kThreads).Increment(static_cast<double>(difference.threads));
}

void ExporterRegistry::count_early_scrape() { counter(kEarlyScrapes).Increment(); }

void ExporterRegistry::count_rendering() { counter(kRenderings).Increment(); }

void ExporterRegistry::count_reload(bool success, Ticks100ns at) {
  counter(kReloads).Increment();
  if (!success) counter(kReloadFailures).Increment();
  gauge(kReloadSuccessful).Set(success ? 1 : 0);
  if (success) gauge(kReloadTime).Set(unix_seconds(at));
}

void ExporterRegistry::count_discovery(bool success) {
  for (const char* result : {"success", "failure"}) counter(kDiscoveries, {result});
  counter(kDiscoveries, {success ? "success" : "failure"}).Increment();
  gauge(kDiscoverySuccess).Set(success ? 1 : 0);
}

void ExporterRegistry::show_discovery(const DiscoveryReport& report) {
  for (const auto& number : kDiscovery) gauge(number.family).Set(*number.value(report));
}

void ExporterRegistry::count_abandoned_match(const std::string& counterset) {
  counter(kAbandonedMatches, {counterset}).Increment();
}

void ExporterRegistry::visit(SeriesSink& sink, Extent extent) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string_view> labels;
  for (const auto& [key, one] : series_) {
    if (extent == Extent::kEssential && !is_essential(key.first)) continue;
    if (one.family == &kAbandonedMatches && !sink.selection().has_state_of(key.second.front()))
      continue;
    labels.assign(key.second.begin(), key.second.end());
    sink.add(*one.family, labels,
             one.counter != nullptr ? one.counter->Value() : one.gauge->Value());
  }
}

OwnMetrics ExporterRegistry::metrics(Extent extent, bool is_dated) const {
  return OwnMetrics(
      [this, extent](SeriesSink& sink) {
        visit(sink, extent);
        if (extent == Extent::kEssential) return;
        const ProcessFacts facts[] = {facts_()};
        add_numbers(sink, kOfTheProcess, facts,
                    [](const ProcessFacts&) { return std::array<std::string_view, 0>{}; });
      },
      is_dated ? std::optional(started_at_) : std::nullopt);
}

}  // namespace winperf
