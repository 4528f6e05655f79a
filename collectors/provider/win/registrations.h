// Reads the Performance keys of all services, and finds the libraries that they name. Thread rule:
// any thread.
#pragma once

#include <windows.h>

#include <string>
#include <vector>

#include "collectors/provider/registration.h"

namespace winperf {

// Where the file of a registered library is. `library`: a Library value with its variables
// expanded. It is searched for as LoadLibrary does it and, if that finds nothing, as 32-bit
// programs do: their providers are registered with the name of the system directory, which is
// redirected for them. If the file doesn't exist, the first path of the search.
[[nodiscard]] std::wstring library_path(const std::wstring& library);

// Of opening a key.
[[nodiscard]] Access access_of(LSTATUS status);

// The Performance keys of all services that have one, also of those that can't be read.
[[nodiscard]] std::vector<PerformanceKey> read_performance_keys();

// Those with a library, in the order of their names, which is that in which the system calls them.
[[nodiscard]] std::vector<ProviderRegistration> read_registrations();

}  // namespace winperf
