// The exporter's own metrics that live as long as the process, in a prometheus::Registry.
// Thread rule: any thread.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/inventory.h"

namespace winperf {

// What the system knows about this process. Implemented in exporter/text/win and posix; CMake
// chooses one. Thread rule: any thread. Source: Learn, GetProcessTimes, GetProcessMemoryInfo,
// GetProcessHandleCount; proc(5).

// A member is empty if the system doesn't tell.
struct ProcessFacts {
  std::optional<double> cpu_seconds{};      // in user and kernel mode, of all threads
  std::optional<double> resident_bytes{};   // in physical memory
  std::optional<double> committed_bytes{};  // Windows' private bytes; elsewhere the address space
  std::optional<double> open_handles{};     // elsewhere file descriptors
};

ProcessFacts process_facts();

// What the build info metric and /version say about this build.
struct BuildInfo {
  std::string version;
  std::string revision;
  std::string compiler;
  std::string os;
  std::string arch;
};

// What the HTTP server holds at a moment, or how that has changed.
struct HttpLoad {
  std::ptrdiff_t connections = 0;
  std::ptrdiff_t queue = 0;  // whole requests that wait for a thread
  std::ptrdiff_t threads = 0;
};

class ExporterRegistry {
 public:
  // Each collect() calls `facts`.
  ExporterRegistry(const BuildInfo& build, Ticks100ns started_at,
                   std::function<ProcessFacts()> facts = process_facts);

  // `route` must be one of a fixed set: every new one is a series that never ends.
  void count_request(std::string_view route, int code);
  // Connections that were closed, or requests that were refused, to protect the others. `reason` is
  // one of a fixed set, too; 0 of them makes it visible.
  void count_shed(std::string_view reason, int count = 1);
  // The same for TLS handshakes that didn't succeed.
  void count_handshake_failure(std::string_view reason, int count = 1);
  // When the certificates of an address are valid; nothing if it has none any more.
  struct Validity {
    std::chrono::sys_seconds begins{};
    std::chrono::sys_seconds ends{};
  };
  void show_certificate(const std::string& address, std::optional<Validity> validity);
  // Whether lines of the log are written, and how many were not.
  void show_log(bool is_written, std::uint64_t lost);
  void change_http_load(const HttpLoad& difference);
  // Scrapes before each counterset was sampled again.
  void count_early_scrape() { early_scrapes_.Increment(); }
  void count_rendering() { renderings_.Increment(); }

  // Counts a configuration that the running program read, whether it was used or not.
  void count_reload(bool success, Ticks100ns at);

  // Counts a look for what patterns of the configuration stand for.
  void count_discovery(bool success);
  // What the last one that succeeded has found, and what it cost.
  void show_discovery(const DiscoveryReport& report);

  // Counts a name for which a filter pattern hit its match limit.
  void count_abandoned_match(const std::string& counterset);

  std::vector<prometheus::MetricFamily> collect() const;
  // Those of them that don't concern the process and its server: which version this is, whether the
  // configuration is used, and TLS.
  std::vector<prometheus::MetricFamily> collect_essentials() const;
  // Since when they count, in seconds since 1970.
  double started_at() const { return started_at_; }

  // For further metrics of the process.
  prometheus::Registry& registry() { return registry_; }

 private:
  const double started_at_;
  const std::function<ProcessFacts()> facts_;
  prometheus::Registry registry_;
  prometheus::Family<prometheus::Counter>& requests_;
  prometheus::Family<prometheus::Counter>& shed_;
  prometheus::Gauge& connections_;
  prometheus::Gauge& queue_;
  prometheus::Gauge& threads_;
  prometheus::Counter& renderings_;
  prometheus::Counter& early_scrapes_;
  prometheus::Counter& reloads_;
  prometheus::Counter& reload_failures_;
  prometheus::Gauge& last_reload_successful_;
  prometheus::Gauge& last_reload_time_;
  prometheus::Gauge& log_written_;
  prometheus::Counter& log_lost_;
  prometheus::Family<prometheus::Counter>& abandoned_matches_;
};

// The metrics about its own process that every exporter has, under the names that all of them use.
// Sorted by name; unknown values are left out.
std::vector<prometheus::MetricFamily> process_metrics(const ProcessFacts& facts);

}  // namespace winperf
