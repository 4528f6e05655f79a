// Creates this platform's PerfLib V2 for the composition root, which stays free of Windows' types.
// win/ implements it; posix/ returns kUnsupported. The executables of tests link a simulator
// instead.
#pragma once

#include <expected>
#include <memory>

#include "collectors/sources/perflib_api.h"
#include "collectors/sources/source.h"

namespace winperf {

// The error says what is missing: the functions exist since Windows 10 1607 and Server 2016, but
// not in Wine.
[[nodiscard]] std::expected<std::unique_ptr<PerflibApi>, SourceError> make_perflib_api();

}  // namespace winperf
