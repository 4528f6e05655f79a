// Which DLL the PerfLib functions come from. The program takes the system's; a build for tests
// links another answer. A path that is absolute, so that no search can be led elsewhere.
#pragma once

#include <string>

namespace winperf {

// Empty where the system does not tell its folder.
std::wstring perflib_library_path();

}  // namespace winperf
