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
    own_gauge("process_start_time_seconds", "Unix time of the process's start.");

constexpr OwnFamily kRequests =
    own_counter("winperf_exporter_http_requests_total",
                "HTTP requests answered, by route and status code.", {"code", "route"});
constexpr OwnFamily kShed =
    own_counter("winperf_exporter_http_shed_total",
                "HTTP connections closed and requests refused to protect other clients, by reason.",
                {"reason"});
constexpr OwnFamily kConnections = own_gauge("winperf_exporter_http_connections");
constexpr OwnFamily kQueue =
    own_gauge("winperf_exporter_http_queue_length", "HTTP requests waiting for a thread.");
constexpr OwnFamily kThreads = own_gauge("winperf_exporter_http_threads",
                                         "HTTP threads: one connection thread for each listen "
                                         "address, and the threads that build responses.");
constexpr OwnFamily kEarlyScrapes =
    own_counter("winperf_exporter_early_scrapes_total",
                "Scrapes less than one sampling interval after the same client's previous scrape; "
                "some values are unchanged, so that rates jump.");
constexpr OwnFamily kScrapeClients =
    own_gauge("winperf_exporter_http_scrape_clients",
              "Client addresses that scraped the metrics in the 10 minutes before this scrape.");
constexpr OwnFamily kScrapeAge =
    own_gauge("winperf_exporter_http_last_scrape_age_seconds",
              "Time between the previous scrape of any client and this one.");
constexpr OwnFamily kEventStreams =
    own_gauge("winperf_exporter_event_streams", "Streams of events that clients read.");
constexpr OwnFamily kRenderings = own_counter(
    "winperf_exporter_renderings_total",
    "Pages rendered from a sample; scrapes of the same sample in the same format share one page.");

constexpr OwnFamily kSentBytes = own_counter("winperf_exporter_http_sent_bytes_total");
constexpr OwnFamily kScrapes = own_counter("winperf_exporter_scrapes_total");
constexpr OwnFamily kScrapeBytes = own_counter("winperf_exporter_scrape_bytes_total");
constexpr OwnFamily kScrapeSeconds = own_counter("winperf_exporter_scrape_seconds_total");

// Both are there once the exporter's own counters are published.
constexpr OwnFamily kOwnUpdates = own_counter("winperf_exporter_own_counters_updates_total");
constexpr OwnFamily kOwnFailures =
    own_counter("winperf_exporter_own_counters_failures_total",
                "States of the exporter's own counters, or parts of them, that could not be "
                "published; the log has the reason.");

// Both families are there once an address has TLS; that of failures once one is known.
constexpr OwnFamily kHandshakeFailures =
    own_counter("winperf_exporter_tls_handshake_failures_total",
                "Failed TLS handshakes, by reason.", {"reason"});
constexpr OwnFamily kCertificateExpiry =
    own_gauge("winperf_exporter_tls_certificate_expiry_timestamp_seconds",
              "Unix time at which the listen address's certificate chain expires: the earliest "
              "expiry of its certificates.",
              {"address"});
constexpr OwnFamily kCertificateStart =
    own_gauge("winperf_exporter_tls_certificate_start_timestamp_seconds",
              "Unix time from which the listen address's whole certificate chain is valid; it may "
              "be in the future.",
              {"address"});

constexpr OwnFamily kReloads = own_counter("winperf_exporter_config_reloads_total",
                                           "Configuration reloads, successful or not.");
constexpr OwnFamily kReloadFailures =
    own_counter("winperf_exporter_config_reload_failures_total",
                "Configuration reloads that failed because the configuration was invalid or could "
                "not be applied.");
constexpr OwnFamily kReloadSuccessful = own_gauge(
    "winperf_exporter_config_last_reload_successful",
    "1 if the last configuration reload succeeded, 0 if an earlier configuration is still in use.");
constexpr OwnFamily kReloadTime =
    own_gauge("winperf_exporter_config_last_reload_success_timestamp_seconds",
              "Unix time at which the configuration in use was read.");
constexpr OwnFamily kAbandonedMatches =
    own_counter("winperf_exporter_abandoned_matches_total",
                "Names treated as not matching because a filter pattern reached its match limit.",
                {"counterset"});

constexpr OwnFamily kLogWritten = own_gauge("winperf_exporter_log_written",
                                            "1 if the log can be written, 0 if its lines are lost; "
                                            "the event log or standard error shows the reason.");
constexpr OwnFamily kLogLost = own_counter("winperf_exporter_log_lost_lines_total",
                                           "Log lines lost because they could not be written.");

constexpr OwnFamily kRecorderBytes = own_gauge("winperf_exporter_recorder_bytes");
constexpr OwnFamily kRecorderReach = own_gauge("winperf_exporter_recorder_reach_seconds");

// The three are there once such captures are configured.
constexpr OwnFamily kCaptures =
    own_counter("winperf_exporter_recorder_captures_total",
                "Captures that the exporter wrote by itself, by reason.", {"reason"});
constexpr OwnFamily kCapturesLeftOut = own_counter(
    "winperf_exporter_recorder_captures_left_out_total",
    "Captures not written because there was one shortly before, by reason.", {"reason"});
constexpr OwnFamily kCaptureFailures =
    own_counter("winperf_exporter_recorder_capture_failures_total",
                "Captures that could not be made or written; the log has the reason.");

constexpr OwnFamily kDiscoveries =
    own_counter("winperf_exporter_discoveries_total", "Discovery runs, by result.", {"result"});
constexpr OwnFamily kDiscoverySuccess = own_gauge(
    "winperf_exporter_discovery_success", "1 if the last discovery run succeeded, 0 otherwise.");
constexpr OwnNumber<DiscoveryReport> kDiscovery[] = {
    {own_gauge("winperf_exporter_discovery_known_countersets",
               "Countersets found in the last successful discovery run."),
     [](const DiscoveryReport& report) { return report.inventory.countersets.size(); }},
    {own_gauge(
         "winperf_exporter_discovery_sampled_countersets",
         "Countersets found in the last successful discovery run that the configuration selects."),
     [](const DiscoveryReport& report) { return report.sampled.size(); }},
    {own_gauge("winperf_exporter_discovery_absent_countersets",
               "Countersets named in the configuration but not found in the last successful "
               "discovery run; 0 if that run was incomplete."),
     [](const DiscoveryReport& report) { return report.absent.size(); }},
    {own_gauge("winperf_exporter_discovery_duration_seconds",
               "Duration of the last successful discovery run."),
     [](const DiscoveryReport& report) { return report.inventory.took.count(); }},
    {own_gauge("winperf_exporter_discovery_reply_bytes",
               "Data received from providers in the last successful discovery run."),
     [](const DiscoveryReport& report) { return report.inventory.bytes; }},
    {own_gauge(
         "winperf_exporter_discovery_metadata",
         "1 if the system supports metadata, so that discovery collects no values; 0 otherwise."),
     [](const DiscoveryReport& report) { return report.inventory.supports_metadata; }},
    {own_gauge("winperf_exporter_discovery_problems",
               "Parts that the last successful discovery run could not read."),
     [](const DiscoveryReport& report) { return report.inventory.problems.size(); }},
    {own_gauge("winperf_exporter_discovery_last_success_timestamp_seconds",
               "Unix time of the last successful discovery run."),
     [](const DiscoveryReport& report) { return report.at ? unix_seconds(*report.at) : 0; }},
};

// Under the names that all exporters use.
constexpr OwnNumber<ProcessFacts> kOfTheProcess[] = {
    {own_counter("process_cpu_seconds_total",
                 "Processor time used by the exporter's process, excluding its worker processes."),
     [](const ProcessFacts& facts) { return facts.cpu_seconds; }},
    {own_gauge("process_open_fds", "Open handles of the process."),
     [](const ProcessFacts& facts) { return facts.open_handles; }},
    {own_gauge("process_resident_memory_bytes", "Physical memory used by the process."),
     [](const ProcessFacts& facts) { return facts.resident_bytes; }},
    {own_gauge("process_virtual_memory_bytes", "Memory committed by the process."),
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
  connections_ = &gauge(kConnections);
  for (const OwnFamily* const zero :
       {&kRenderings, &kSentBytes, &kScrapes, &kScrapeBytes, &kScrapeSeconds, &kEarlyScrapes,
        &kReloads, &kReloadFailures, &kLogLost})
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

void ExporterRegistry::show_recorder(std::optional<Recorded> recorded) {
  if (!recorded) {
    for (const OwnFamily* const one : {&kRecorderBytes, &kRecorderReach}) remove_gauge(*one, {});
    return;
  }
  gauge(kRecorderBytes).Set(static_cast<double>(recorded->bytes));
  gauge(kRecorderReach).Set(std::chrono::duration<double>(recorded->reach).count());
}

void ExporterRegistry::show_captures(std::string_view reason) {
  counter(kCaptureFailures);
  for (const OwnFamily* const zero : {&kCaptures, &kCapturesLeftOut}) counter(*zero, {reason});
}

void ExporterRegistry::count_capture(std::string_view reason) {
  counter(kCaptures, {reason}).Increment();
}

void ExporterRegistry::count_capture_left_out(std::string_view reason) {
  counter(kCapturesLeftOut, {reason}).Increment();
}

void ExporterRegistry::count_capture_failure() { counter(kCaptureFailures).Increment(); }

void ExporterRegistry::change_http_load(const HttpLoad& difference) {
  gauge(kConnections).Increment(static_cast<double>(difference.connections));
  gauge(kQueue).Increment(static_cast<double>(difference.queue));
  gauge(kThreads).Increment(static_cast<double>(difference.threads));
}

void ExporterRegistry::count_early_scrape() { counter(kEarlyScrapes).Increment(); }

void ExporterRegistry::show_scrapes(std::size_t clients, std::optional<double> age_seconds) {
  gauge(kScrapeClients).Set(static_cast<double>(clients));
  if (age_seconds) gauge(kScrapeAge).Set(*age_seconds);
}

void ExporterRegistry::show_event_streams(std::size_t count) {
  gauge(kEventStreams).Set(static_cast<double>(count));
}

void ExporterRegistry::count_rendering(std::uint64_t series) {
  counter(kRenderings).Increment();
  const std::lock_guard lock(numbers_mutex_);
  numbers_.series = series;
}

void ExporterRegistry::count_sent(const SentAnswers& answers) {
  counter(kSentBytes).Increment(static_cast<double>(answers.bytes));
  if (answers.scrapes > 0) {
    counter(kScrapes).Increment(static_cast<double>(answers.scrapes));
    counter(kScrapeBytes).Increment(static_cast<double>(answers.scrape_bytes));
    counter(kScrapeSeconds).Increment(std::chrono::duration<double>(answers.scrape_time).count());
  }
  const std::lock_guard lock(numbers_mutex_);
  numbers_.sent.bytes += answers.bytes;
  numbers_.sent.scrapes += answers.scrapes;
  numbers_.sent.scrape_bytes += answers.scrape_bytes;
  numbers_.sent.scrape_time += answers.scrape_time;
}

void ExporterRegistry::show_own_counters(std::uint64_t updates, std::uint64_t failures) {
  for (const auto& [family, value] :
       {std::pair(&kOwnUpdates, updates), {&kOwnFailures, failures}}) {
    prometheus::Counter& known = counter(*family);
    known.Increment(static_cast<double>(value) - known.Value());
  }
}

ExporterRegistry::Numbers ExporterRegistry::numbers() const {
  const std::lock_guard lock(numbers_mutex_);
  Numbers numbers = numbers_;
  numbers.connections = connections_->Value();
  return numbers;
}

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
