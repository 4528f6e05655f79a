// The captures that a configuration makes by itself, of a program that fails and stops. Thread
// rule: any thread.
#pragma once

#include <string>

#include "config/config.h"

namespace winperf::testing {

// When a counterset fails, \a\b is 5, \c\d is 7, and the service stops: "FOLDER REASON SECONDS "
// for each file.
std::string captures_made(const Config& config);

}  // namespace winperf::testing
