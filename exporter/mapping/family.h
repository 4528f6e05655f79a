// What one counter becomes on the metrics page: the name, type and help of a metric family, and how
// its value is computed from the arrays of a sample. Plain data; docs/metrics.md explains the rule.
//
// A family's name is stem + suffix ("winperf_processor_user_time" + "_seconds_total"), kept in two
// parts because a clash of names is resolved between them. Thread rule: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "collectors/model/counter_type.h"

namespace winperf {

enum class MetricType : std::uint8_t { kGauge, kCounter };

// Which array of a CountersetSample holds the value.
enum class ValueSource : std::uint8_t {
  kRaw,        // raw
  kRawDouble,  // raw, as the bits of an IEEE double
  kTotal,      // total
  kBase,       // base
  kBaseTotal,  // base_total
  kRatio,      // raw / base
  kStartTime,  // raw as a point in time: seconds since 1970
  kCooked,     // perfmon's number
};

struct ValueRule {
  std::size_t column = 0;
  ValueSource source = ValueSource::kRaw;
  TimeBase ticks_of =
      TimeBase::kNone;  // divided by this clock's frequency; for kStartTime, its clock
  double factor = 1;    // to the base unit
};

struct FamilyMapping {
  std::string stem;
  std::string suffix;
  std::string key;  // "Processor\% User Time": identifies the counter, whatever its index
  MetricType type = MetricType::kGauge;
  std::string help;
  ValueRule value;
};

struct MappingOptions {
  bool total_instances = false;  // keep "_Total" beside the instances that it adds up
  bool cooked = false;           // add perfmon's numbers as "..._displayed..." gauges
};

// All families of one object.
struct ObjectMapping {
  std::vector<FamilyMapping> families;
  std::size_t unnamed = 0;      // counters named by their index because they have no name
  std::size_t not_numeric = 0;  // counters that aren't numbers and have no family
};

}  // namespace winperf
