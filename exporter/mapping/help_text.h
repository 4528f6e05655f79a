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

// "Rate per second over the last 5 s. In perfmon: Disk Reads/sec is ...". The system's text is on
// one line of bounded length. The family of several counters has none.
std::string help_of(const CounterSchema& counter, const Meaning& meaning);

// "[Processor\\% User Time, PERF_100NSEC_TIMER, 238/142]".
std::string origin_of(const CountersetSchema& schema, const CounterSchema& counter);
// The same of the counter's base.
std::string base_origin_of(const CountersetSchema& schema, const CounterSchema& counter);

}  // namespace winperf
