#include "exporter/text/exporter_registry.h"

#include <prometheus/gauge.h>

#include <algorithm>
#include <string>

namespace winperf {

ExporterRegistry::ExporterRegistry(const BuildInfo& build, Ticks100ns started_at)
    : requests_(prometheus::BuildCounter()
                    .Name("winperf_exporter_http_requests_total")
                    .Help("HTTP requests answered, by route and status code.")
                    .Register(registry_)),
      renderings_(prometheus::BuildCounter()
                      .Name("winperf_exporter_renderings_total")
                      .Help("Samples written as a page; scrapes of the same sample share one.")
                      .Register(registry_)
                      .Add({})) {
  prometheus::BuildGauge()
      .Name("winperf_exporter_build_info")
      .Help("What this build is; the value is always 1.")
      .Register(registry_)
      .Add({{"version", build.version},
            {"revision", build.revision},
            {"compiler", build.compiler},
            {"os", build.os},
            {"arch", build.arch}})
      .Set(1);
  prometheus::BuildGauge()
      .Name("winperf_exporter_start_time_seconds")
      .Help("When this process was started.")
      .Register(registry_)
      .Add({})
      .Set(static_cast<double>(started_at.ticks - kUnixEpoch100ns) / 1e7);
}

void ExporterRegistry::count_request(std::string_view route, int code) {
  requests_.Add({{"route", std::string(route)}, {"code", std::to_string(code)}}).Increment();
}

std::vector<prometheus::MetricFamily> ExporterRegistry::collect() const {
  auto families = registry_.Collect();
  std::sort(families.begin(), families.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (auto& family : families) {
    std::sort(family.metric.begin(), family.metric.end(),
              [](const auto& a, const auto& b) { return a.label < b.label; });
  }
  return families;
}

}  // namespace winperf
