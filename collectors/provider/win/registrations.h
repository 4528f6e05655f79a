// Reads the Performance keys of all services. Thread rule: any thread.
#pragma once

#include <windows.h>

#include <vector>

#include "collectors/provider/registration.h"

namespace winperf {

// Of opening a key.
[[nodiscard]] Access access_of(LSTATUS status);

// The Performance keys of all services that have one, also of those that can't be read.
[[nodiscard]] std::vector<PerformanceKey> read_performance_keys();

// Those with a library, in the order of their names, which is that in which the system calls them.
[[nodiscard]] std::vector<ProviderRegistration> read_registrations();

}  // namespace winperf
