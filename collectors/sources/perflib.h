// Makes PerfLib V2 of this platform without naming anything of Windows, for the composition root.
// Implemented in win/; elsewhere (posix/) the answer is kUnsupported. A test's executable links a
// simulator in its place.
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
