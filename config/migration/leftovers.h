// Settings that nothing in the result stands for: what to do about each. Thread rule: one thread.
#pragma once

#include <string>
#include <vector>

#include "config/migration/progress.h"

namespace winperf::migration {

// Notes or loses every setting that was not used. `enabled`: the names of the collectors.
void explain_leftovers(const std::vector<std::string>& enabled, Progress& progress);

}  // namespace winperf::migration
