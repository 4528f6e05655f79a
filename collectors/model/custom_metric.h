// A metric whose name, labels and type the configuration chooses for a counter. Thread rule:
// values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace winperf {

enum class CustomType : std::uint8_t {
  kByCounter,  // a counter if the number only grows, as windows_exporter decides it
  kCounter,
  kGauge,
};

enum class CustomValue : std::uint8_t {
  kRaw,     // timers of 100 ns and elapsed times in seconds, everything else as delivered
  kCooked,  // the number that perfmon computes; a gauge
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

}  // namespace winperf
