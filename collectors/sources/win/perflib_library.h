// The path of the DLL that the PerfLib functions come from. The program uses the system's; a test
// build links a different path. The path is absolute, so that no search can find another DLL.
#pragma once

#include <string>

namespace winperf {

// Empty if the system doesn't say where its folder is.
[[nodiscard]] std::wstring perflib_library_path();

}  // namespace winperf
