// Creates this platform's registry source for the composition root, which stays free of Windows'
// types. win/ implements it; posix/ returns kUnsupported, with a text that says what to do instead.
// The executables of tests link a simulator instead.
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
