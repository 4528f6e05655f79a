// PerfLib V2 of this platform, for the program that puts everything together: nothing of Windows in
// sight. Implemented in win/; elsewhere (posix/) the answer is kUnsupported.
#pragma once

#include <expected>
#include <memory>

#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"

namespace winperf {

// The error says what is missing: the functions exist since Windows 10 1607 and Server 2016, and
// not under Wine.
std::expected<std::unique_ptr<PerflibApi>, SourceError> make_perflib_api();

}  // namespace winperf
