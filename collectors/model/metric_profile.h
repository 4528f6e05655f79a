// The metric names of the metrics page. Thread rule: values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace winperf {

// A metric whose name, labels and type the configuration chooses for a counter.
enum class CustomType : std::uint8_t {
  kByCounter,  // a counter if the value only grows, as in windows_exporter
  kCounter,
  kGauge,
};

enum class CustomValue : std::uint8_t {
  kRaw,     // timers of 100 ns and elapsed times in seconds, everything else as delivered
  kCooked,  // the value that perfmon computes; a gauge
};

struct FixedLabel {
  std::string name;
  std::string value;
  auto operator<=>(const FixedLabel&) const = default;
};

struct CustomMetric {
  std::string counter;  // English
  std::string name;
  std::vector<FixedLabel> labels{};  // sorted, each name once
  CustomType type = CustomType::kByCounter;
  CustomValue value = CustomValue::kRaw;
  bool operator==(const CustomMetric&) const = default;
};

// Which values of a counter are on the metrics page.
enum class MetricValues : std::uint8_t {
  kBoth,
  kRaw,     // running totals, for rate() in Prometheus
  kCooked,  // perfmon's values
};

// How much of the samples is on the metrics page (ADR 0023).
enum class PageDetail : std::uint8_t {
  kUsual,  // what a fleet scrapes: leading processes, and the numbers that Task Manager shows
  kFull,   // everything that is sampled
};

enum class MetricProfile : std::uint8_t {
  kWinperf,                // this program's own rule
  kWindowsExporter,        // windows_exporter's names
  kWindowsExporterLegacy,  // names that windows_exporter has renamed or dropped
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
