// HELP of metric families: first what the metric is, then the system's text about the counter, and
// where the value comes from. Thread rule: any thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "collectors/model/sample.h"
#include "exporter/mapping/family.h"

namespace winperf {

// What a family shows of its counter.
struct Meaning {
  MetricType type = MetricType::kGauge;
  ValueSource source = ValueSource::kRaw;
  std::string_view suffix{};             // of the family's name, which has its unit
  std::string_view label{};              // of a family that counters share
  std::chrono::milliseconds interval{};  // between two samples; 0 if it isn't known
};

// "Rate per second between the last two samples, 5 s apart."
std::string meaning_of(const Meaning& meaning);

// The system's text on one line of bounded length, if there is one, and the counter:
// "Time in user mode. [Processor\% User Time, PERF_100NSEC_TIMER, 238/142]".
std::string origin_of(const CountersetSchema& schema, const CounterSchema& counter);
// The same of the counter's base.
std::string base_origin_of(const CountersetSchema& schema, const CounterSchema& counter);

}  // namespace winperf
