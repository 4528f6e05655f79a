// The exporter's metrics about itself that live as long as the process, in a prometheus::Registry.
// Thread rule: any thread.
#pragma once

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/metric_family.h>
#include <prometheus/registry.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "collectors/model/clock.h"
#include "exporter/text/process_facts.h"

namespace winperf {

// What this build is, as the build info metric and /version tell it.
struct BuildInfo {
  std::string version;
  std::string revision;
  std::string compiler;
  std::string os;
  std::string arch;
};

class ExporterRegistry {
 public:
  // `facts` are asked for with each collect().
  ExporterRegistry(const BuildInfo& build, Ticks100ns started_at,
                   std::function<ProcessFacts()> facts = process_facts);

  // `route` must be one of a fixed set: every new one is a series for ever.
  void count_request(std::string_view route, int code);
  void count_rendering() { renderings_.Increment(); }

  // A configuration that was read while the program runs, and used or not.
  void count_reload(bool success, Ticks100ns at);

  // A filter's pattern that was given up on a name, because it takes too many steps.
  void count_abandoned_match(const std::string& counterset);

  std::vector<prometheus::MetricFamily> collect() const;

  // For further metrics of the process.
  prometheus::Registry& registry() { return registry_; }

 private:
  const std::function<ProcessFacts()> facts_;
  prometheus::Registry registry_;
  prometheus::Family<prometheus::Counter>& requests_;
  prometheus::Counter& renderings_;
  prometheus::Counter& reloads_;
  prometheus::Counter& reload_failures_;
  prometheus::Gauge& last_reload_successful_;
  prometheus::Gauge& last_reload_time_;
  prometheus::Family<prometheus::Counter>& abandoned_matches_;
};

// The metrics about its own process that every exporter has, under the names that they all use.
// Sorted by name; what is not known is left out.
std::vector<prometheus::MetricFamily> process_metrics(const ProcessFacts& facts);

}  // namespace winperf
