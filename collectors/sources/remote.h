// Creates the source of another machine's registry, for the composition root of a worker process,
// which stays free of Windows' types. win/ implements it with RegConnectRegistry; posix/ returns
// kUnsupported. The executables of tests link a simulated network instead.
//
// Nothing is connected yet: the first call that needs the machine connects, and an error that a
// fresh start may cure closes the handle, so that the next call connects again. A call can't be
// interrupted, and a machine that doesn't answer may keep it for minutes. What such a source
// answers comes from a stranger.
// Errors of its calls, besides those of any source: what RegConnectRegistry said, with `where`
// "remote.connect".
#pragma once

#include <expected>
#include <functional>
#include <memory>
#include <string>

#include "collectors/sources/query_policy.h"
#include "collectors/sources/source.h"

namespace winperf {

// The place of an error of connecting.
inline constexpr char kConnecting[] = "remote.connect";

// `machine`: a name or an address in UTF-8, with or without "\\" before it; not empty. The error
// says why such a name can't be one, or that this platform reads no other machines.
[[nodiscard]] std::expected<std::unique_ptr<CounterSource>, SourceError> make_remote_source(
    const std::string& machine, const QueryLimits& limits = {});

}  // namespace winperf
