// By which names the metrics page has its numbers. Thread rule: values.
#pragma once

#include <cstdint>
#include <string_view>

namespace winperf {

// Which numbers of a counter are wanted on the metrics page. Thread rule: values.
enum class MetricValues : std::uint8_t {
  kBoth,
  kRaw,     // running totals, from which Prometheus computes what it needs
  kCooked,  // perfmon's numbers
};

enum class MetricProfile : std::uint8_t {
  kWinperf,                // this program's own rule
  kWindowsExporter,        // windows_exporter's names
  kWindowsExporterLegacy,  // what windows_exporter has dropped, and dashboards still ask for
};

constexpr std::string_view name_of(MetricProfile profile) {
  switch (profile) {
    case MetricProfile::kWinperf:
      return "winperf";
    case MetricProfile::kWindowsExporter:
      return "windows_exporter";
    case MetricProfile::kWindowsExporterLegacy:
      return "windows_exporter_legacy";
  }
  return "";
}

}  // namespace winperf
