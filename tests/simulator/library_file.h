// A provider's library that is a file of this system, on the simulated machine. Thread rule: one
// thread.
#pragma once

#include <memory>

#include "collectors/provider/provider_machine.h"

namespace winperf::simulator {

// Null if its library isn't a file with the functions that it names.
std::unique_ptr<ProviderLibrary> load_library_file(const ProviderRegistration& provider);

}  // namespace winperf::simulator
