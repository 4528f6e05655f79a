#include "tests/simulator/library_file.h"

namespace winperf::simulator {

// The program itself loads libraries here.
std::unique_ptr<ProviderLibrary> load_library_file(const ProviderRegistration&) { return nullptr; }

}  // namespace winperf::simulator
