// HELP of a metric family: the system's own help text on one line of bounded length, then where the
// value comes from: "[Processor\% User Time, PERF_100NSEC_TIMER, 238/142]".
#pragma once

#include <string>

#include "collectors/model/sample.h"

namespace winperf {

std::string help_of(const CountersetSchema& schema, const CounterSchema& counter);
std::string base_help_of(const CountersetSchema& schema, const CounterSchema& counter);
std::string displayed_help_of(const CountersetSchema& schema, const CounterSchema& counter);

}  // namespace winperf
