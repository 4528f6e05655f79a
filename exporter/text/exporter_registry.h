// The exporter's own metrics that live as long as the process, in a prometheus::Registry.
// Thread rule: any thread.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/registry.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "collectors/model/clock.h"
#include "collectors/model/inventory.h"
#include "exporter/text/own_metrics.h"
#include "exporter/text/sent_answers.h"

namespace winperf {

// What the system knows about this process and its machine. Implemented in exporter/text/win and
// posix; CMake chooses one. Thread rule: any thread. Source: Learn, GetProcessTimes,
// GetProcessMemoryInfo, GetProcessHandleCount, GlobalMemoryStatusEx; proc(5), sysconf(3).

// A member is empty if the system doesn't know it.
struct ProcessFacts {
  std::optional<double> cpu_seconds{};      // in user and kernel mode, of all threads
  std::optional<double> resident_bytes{};   // in physical memory
  std::optional<double> committed_bytes{};  // Windows' private bytes; elsewhere the address space
  std::optional<double> open_handles{};     // elsewhere file descriptors
};

ProcessFacts process_facts();
// The machine's memory in bytes, if the system says it.
std::optional<std::uint64_t> machine_memory();

// The current load of the HTTP server, or a change of it.
struct HttpLoad {
  std::ptrdiff_t connections = 0;
  std::ptrdiff_t queue = 0;  // whole requests that wait for a thread
  std::ptrdiff_t threads = 0;
};

class ExporterRegistry {
 public:
  // `facts` is called each time that the metrics are read.
  ExporterRegistry(BuildInfo build, Ticks100ns started_at,
                   std::function<ProcessFacts()> facts = process_facts);

  // `route` must be one of a fixed set: every new one is a series that never ends.
  void count_request(std::string_view route, int code);
  // Connections closed or requests refused to protect other clients. `reason` is also one of a
  // fixed set; a count of 0 makes its series visible.
  void count_shed(std::string_view reason, int count = 1);
  // The same for TLS handshakes that didn't succeed.
  void count_handshake_failure(std::string_view reason, int count = 1);
  // When the certificates of an address are valid; nothing if it has none any more.
  struct Validity {
    std::chrono::sys_seconds begins{};
    std::chrono::sys_seconds ends{};
  };
  void show_certificate(std::string_view address, std::optional<Validity> validity);
  // Whether lines of the log are written, and how many were not.
  void show_log(bool is_written, std::uint64_t lost);
  // What the recorder has; nothing if it has no sample.
  struct Recorded {
    std::size_t bytes = 0;
    std::chrono::steady_clock::duration reach{};
  };
  void show_recorder(std::optional<Recorded> recorded);
  // Captures that the recorder makes by itself. `reason` is one of a fixed set; showing it makes
  // its series visible.
  void show_captures(std::string_view reason);
  void count_capture(std::string_view reason);
  void count_capture_left_out(std::string_view reason);  // too soon after another one
  void count_capture_failure();
  void change_http_load(const HttpLoad& difference);
  // Scrapes before each counterset was sampled again.
  void count_early_scrape();
  // Client addresses that have scraped lately, and the age of the last scrape, if there was one.
  void show_scrapes(std::size_t clients, std::optional<double> age_seconds);
  // That are open.
  void show_event_streams(std::size_t count);
  // A page was made of a sample, with so many of its series.
  void count_rendering(std::uint64_t series);
  void count_sent(const SentAnswers& answers);
  // States of the exporter's own counters: the number of the last one that was published, and how
  // many could not be.
  void show_own_counters(std::uint64_t updates, std::uint64_t failures);

  // What other parts of the program show as well.
  struct Numbers {
    double connections = 0;
    SentAnswers sent{};
    std::optional<std::uint64_t> series{};  // of the page that was made last
  };
  Numbers numbers() const;

  // Counts a configuration that the running program read, whether it was used or not.
  void count_reload(bool success, Ticks100ns at);

  // Counts a discovery run.
  void count_discovery(bool success);
  // The result and the cost of the last successful discovery run.
  void show_discovery(const DiscoveryReport& report);

  // Counts a name for which a filter pattern hit its match limit.
  void count_abandoned_match(const std::string& counterset);

  // `essential`: those that don't concern the process and its server: which version this is,
  // whether the configuration and the log are in order, and TLS.
  enum class Extent : std::uint8_t { kAll, kEssential };
  // `is_dated`: with the time since when the counters count.
  OwnMetrics metrics(Extent extent = Extent::kAll, bool is_dated = false) const;
  const BuildInfo& build() const { return build_; }

 private:
  using Labels = std::initializer_list<std::string_view>;
  // As the registry has it.
  struct Series {
    const OwnFamily* family;
    prometheus::Counter* counter = nullptr;  // by the family's type, one of both
    prometheus::Gauge* gauge = nullptr;
  };
  using Key = std::pair<std::string_view, std::vector<std::string>>;  // name, values of labels

  Series& series(const OwnFamily& family, Labels labels);
  prometheus::Counter& counter(const OwnFamily& family, Labels labels = {});
  prometheus::Gauge& gauge(const OwnFamily& family, Labels labels = {});
  void remove_gauge(const OwnFamily& family, Labels labels);
  void visit(SeriesSink& sink, Extent extent) const;

  const BuildInfo build_;
  const double started_at_;
  const std::function<ProcessFacts()> facts_;
  prometheus::Registry registry_;
  mutable std::mutex mutex_;
  std::map<Key, Series> series_;
  const prometheus::Gauge* connections_ = nullptr;
  mutable std::mutex numbers_mutex_;
  Numbers numbers_;  // but for the connections
};

}  // namespace winperf
