// Reads the Performance keys of all services. Thread rule: any thread.
#pragma once

#include <vector>

#include "collectors/provider/registration.h"

namespace winperf {

// In the order of their names, which is that in which the system calls them.
[[nodiscard]] std::vector<ProviderRegistration> read_registrations();

}  // namespace winperf
