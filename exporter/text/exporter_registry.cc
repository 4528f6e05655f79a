#include "exporter/text/exporter_registry.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace winperf {
namespace {

constexpr char kBuildInfo[] = "winperf_exporter_build_info";

prometheus::Counter& add_counter(prometheus::Registry& registry, const char* name,
                                 const char* help) {
  return prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add({});
}

prometheus::Gauge& add_gauge(prometheus::Registry& registry, const char* name, const char* help) {
  return prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add({});
}

void add(std::vector<prometheus::MetricFamily>& families, const char* name, const char* help,
         prometheus::MetricType type, const std::optional<double>& value) {
  if (!value) return;
  prometheus::ClientMetric metric;
  (type == prometheus::MetricType::Counter ? metric.counter.value : metric.gauge.value) = *value;
  families.push_back({.name = name, .help = help, .type = type, .metric = {metric}});
}

}  // namespace

ExporterRegistry::ExporterRegistry(const BuildInfo& build, Ticks100ns started_at,
                                   std::function<ProcessFacts()> facts)
    : started_at_(unix_seconds(started_at)),
      facts_(std::move(facts)),
      requests_(prometheus::BuildCounter()
                    .Name("winperf_exporter_http_requests_total")
                    .Help("HTTP requests answered, by route and status code.")
                    .Register(registry_)),
      shed_(prometheus::BuildCounter()
                .Name("winperf_exporter_http_shed_total")
                .Help("HTTP connections closed, or requests refused, to protect the others, by "
                      "reason.")
                .Register(registry_)),
      connections_(add_gauge(registry_, "winperf_exporter_http_connections",
                             "HTTP connections that are open.")),
      queue_(add_gauge(registry_, "winperf_exporter_http_queue_length",
                       "HTTP requests that wait for a thread to answer them.")),
      threads_(add_gauge(registry_, "winperf_exporter_http_threads",
                         "Threads that serve HTTP: for each address that is listened on, one for "
                         "its connections and those that make answers.")),
      renderings_(
          add_counter(registry_, "winperf_exporter_renderings_total",
                      "Samples rendered as a page; scrapes of the same sample in the same format "
                      "share one page.")),
      early_scrapes_(
          add_counter(registry_, "winperf_exporter_early_scrapes_total",
                      "Scrapes by a client whose previous one was less than a sampling interval "
                      "ago: some values are the same in both, so that rates jump.")),
      reloads_(add_counter(registry_, "winperf_exporter_config_reloads_total",
                           "Times that the running program read its configuration again.")),
      reload_failures_(
          add_counter(registry_, "winperf_exporter_config_reload_failures_total",
                      "Times that the running program did not use the configuration it "
                      "had read again, because it was invalid or could not be applied.")),
      last_reload_successful_(
          add_gauge(registry_, "winperf_exporter_config_last_reload_successful",
                    "Whether the configuration that was read last is in use; 0: an earlier one "
                    "still is.")),
      last_reload_time_(add_gauge(registry_,
                                  "winperf_exporter_config_last_reload_success_timestamp_seconds",
                                  "When the configuration in use was read.")),
      log_written_(add_gauge(registry_, "winperf_exporter_log_written",
                             "Whether lines can be written to the log; 0: they are lost, and the "
                             "event log or standard error says why.")),
      log_lost_(add_counter(registry_, "winperf_exporter_log_lost_lines_total",
                            "Lines that could not be written to the log.")),
      abandoned_matches_(prometheus::BuildCounter()
                             .Name("winperf_exporter_abandoned_matches_total")
                             .Help("Names for which a filter pattern hit its match limit; they "
                                   "count as not matched.")
                             .Register(registry_)) {
  last_reload_successful_.Set(1);
  log_written_.Set(1);
  last_reload_time_.Set(started_at_);
  prometheus::BuildGauge()
      .Name(kBuildInfo)
      .Help("Version and build of the exporter; the value is always 1.")
      .Register(registry_)
      .Add({{"version", build.version},
            {"revision", build.revision},
            {"compiler", build.compiler},
            {"os", build.os},
            {"arch", build.arch}})
      .Set(1);
  add_gauge(registry_, "process_start_time_seconds", "When the process was started.")
      .Set(started_at_);
}

void ExporterRegistry::count_shed(std::string_view reason, int count) {
  shed_.Add({{"reason", std::string(reason)}}).Increment(count);
}

// Both families are there once an address has TLS.
void ExporterRegistry::count_handshake_failure(std::string_view reason, int count) {
  prometheus::BuildCounter()
      .Name("winperf_exporter_tls_handshake_failures_total")
      .Help("TLS handshakes that did not succeed, by reason.")
      .Register(registry_)
      .Add({{"reason", std::string(reason)}})
      .Increment(count);
}

void ExporterRegistry::show_certificate(const std::string& address,
                                        std::optional<Validity> validity) {
  const auto show = [&](const char* name, const char* help,
                        std::chrono::sys_seconds Validity::* time) {
    auto& family = prometheus::BuildGauge().Name(name).Help(help).Register(registry_);
    prometheus::Gauge& gauge = family.Add({{"address", address}});
    if (validity)
      gauge.Set(static_cast<double>(((*validity).*time).time_since_epoch().count()));
    else
      family.Remove(&gauge);
  };
  show("winperf_exporter_tls_certificate_expiry_timestamp_seconds",
       "When the certificate of an address that is listened on expires, or one of those that it "
       "is sent with if that is earlier.",
       &Validity::ends);
  show("winperf_exporter_tls_certificate_start_timestamp_seconds",
       "Since when all certificates that an address sends are valid; it may be in the future.",
       &Validity::begins);
}

void ExporterRegistry::show_log(bool is_written, std::uint64_t lost) {
  log_written_.Set(is_written ? 1 : 0);
  log_lost_.Increment(static_cast<double>(lost) - log_lost_.Value());
}

void ExporterRegistry::change_http_load(const HttpLoad& difference) {
  connections_.Increment(static_cast<double>(difference.connections));
  queue_.Increment(static_cast<double>(difference.queue));
  threads_.Increment(static_cast<double>(difference.threads));
}

void ExporterRegistry::count_request(std::string_view route, int code) {
  requests_.Add({{"route", std::string(route)}, {"code", std::to_string(code)}}).Increment();
}

void ExporterRegistry::count_reload(bool success, Ticks100ns at) {
  reloads_.Increment();
  if (!success) reload_failures_.Increment();
  last_reload_successful_.Set(success ? 1 : 0);
  if (success) last_reload_time_.Set(unix_seconds(at));
}

void ExporterRegistry::count_discovery(bool success) {
  auto& looks = prometheus::BuildCounter()
                    .Name("winperf_exporter_discoveries_total")
                    .Help("Looks for the countersets that the machine has, by result.")
                    .Register(registry_);
  for (const char* result : {"success", "failure"}) looks.Add({{"result", result}});
  looks.Add({{"result", success ? "success" : "failure"}}).Increment();
  add_gauge(registry_, "winperf_exporter_discovery_success",
            "1 if the last look for the countersets that the machine has succeeded; 0 if not.")
      .Set(success ? 1 : 0);
}

void ExporterRegistry::show_discovery(const DiscoveryReport& report) {
  const Inventory& inventory = report.inventory;
  const struct {
    const char* name;
    const char* help;
    double value;
  } gauges[] = {
      {"winperf_exporter_discovery_known_countersets", "Countersets that the last look has found.",
       static_cast<double>(inventory.countersets.size())},
      {"winperf_exporter_discovery_sampled_countersets",
       "Those of them that the configuration selects.", static_cast<double>(report.sampled.size())},
      {"winperf_exporter_discovery_absent_countersets",
       "Countersets that the configuration names and the last look, if it was whole, has not "
       "found.",
       static_cast<double>(report.absent.size())},
      {"winperf_exporter_discovery_duration_seconds", "How long the last look took.",
       inventory.took.count()},
      {"winperf_exporter_discovery_reply_bytes", "What providers delivered for the last look.",
       static_cast<double>(inventory.bytes)},
      {"winperf_exporter_discovery_metadata",
       "Whether the system supports metadata, so that a look collects no values.",
       inventory.supports_metadata ? 1.0 : 0.0},
      {"winperf_exporter_discovery_problems", "Parts that the last look could not read.",
       static_cast<double>(inventory.problems.size())},
      {"winperf_exporter_discovery_last_success_timestamp_seconds",
       "When the last look that succeeded was.", report.at ? unix_seconds(*report.at) : 0.0},
  };
  for (const auto& gauge : gauges) add_gauge(registry_, gauge.name, gauge.help).Set(gauge.value);
}

void ExporterRegistry::count_abandoned_match(const std::string& counterset) {
  abandoned_matches_.Add({{"counterset", counterset}}).Increment();
}

std::vector<prometheus::MetricFamily> ExporterRegistry::collect() const {
  auto families = registry_.Collect();
  std::ranges::move(process_metrics(facts_()), std::back_inserter(families));
  std::sort(families.begin(), families.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (auto& family : families) {
    std::sort(family.metric.begin(), family.metric.end(),
              [](const auto& a, const auto& b) { return a.label < b.label; });
  }
  return families;
}

std::vector<prometheus::MetricFamily> ExporterRegistry::collect_essentials() const {
  auto families = registry_.Collect();
  std::erase_if(families, [](const auto& family) {
    return family.name != kBuildInfo && !family.name.starts_with("winperf_exporter_config_") &&
           !family.name.starts_with("winperf_exporter_log_") &&
           !family.name.starts_with("winperf_exporter_tls_");
  });
  return families;
}

std::vector<prometheus::MetricFamily> process_metrics(const ProcessFacts& facts) {
  std::vector<prometheus::MetricFamily> families;
  add(families, "process_cpu_seconds_total",
      "Processor time of the process, including the provider DLLs in it.",
      prometheus::MetricType::Counter, facts.cpu_seconds);
  add(families, "process_open_fds", "Open handles of the process.", prometheus::MetricType::Gauge,
      facts.open_handles);
  add(families, "process_resident_memory_bytes", "Physical memory of the process.",
      prometheus::MetricType::Gauge, facts.resident_bytes);
  add(families, "process_virtual_memory_bytes", "Committed memory of the process.",
      prometheus::MetricType::Gauge, facts.committed_bytes);
  return families;
}

}  // namespace winperf
