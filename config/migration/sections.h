// The parts of the result that don't say what to sample: addresses, paths and the log. Each is a
// part of a configuration on lines of its own, which this program accepts. Thread rule: one thread.
#pragma once

#include <string>

#include "config/migration/progress.h"

namespace winperf::migration {

std::string listen_section(Progress& progress);
std::string metrics_section(Progress& progress);
// Empty if the settings say nothing about it.
std::string log_section(Progress& progress);
// Of an old option, which limited scrapes at a time.
std::string limits_section(Progress& progress);

}  // namespace winperf::migration
