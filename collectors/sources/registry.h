// Makes the registry source of this platform without naming anything of Windows, for the
// composition root. Implemented in win/; elsewhere (posix/) the answer is kUnsupported and what to
// do instead. A test's executable links a simulator in its place.
//
// HKEY_PERFORMANCE_DATA belongs to the whole process: make one registry source, let main's objects
// own it (its destructor closes the key, which must not happen in DllMain or while static objects
// are destroyed), and use it from one thread at a time.
#pragma once

#include <expected>
#include <memory>

#include "collectors/sources/query_policy.h"
#include "collectors/sources/source.h"

namespace winperf {

[[nodiscard]] std::expected<std::unique_ptr<CounterSource>, SourceError> make_registry_source(
    const QueryLimits& limits = {});

}  // namespace winperf
