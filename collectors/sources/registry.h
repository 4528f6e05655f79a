// The registry source, for the program that puts everything together: nothing of Windows in sight.
// Implemented in win/; elsewhere (posix/) the answer is kUnsupported and what to do instead.
//
// HKEY_PERFORMANCE_DATA belongs to the whole process: make one registry source, own it in main's
// graph of objects (its destructor closes the key, which must not happen in DllMain or while static
// objects are destroyed), and use it from one thread at a time.
#pragma once

#include <expected>
#include <memory>

#include "collectors/sources/query_policy.h"
#include "collectors/sources/source.h"

namespace winperf {

using RegistryLimits = QueryLimits;

std::expected<std::unique_ptr<CounterSource>, SourceError> make_registry_source(
    const RegistryLimits& limits = {});

}  // namespace winperf
