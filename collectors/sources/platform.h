// Creates this platform's sources for the composition roots, which stay free of Windows' types.
// win/ implements them; posix/ returns kUnsupported, with a text that suggests an alternative. The
// executables of tests link simulators instead.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "collectors/sources/perflib_api.h"
#include "collectors/sources/query_policy.h"
#include "collectors/sources/source.h"

namespace winperf {

// HKEY_PERFORMANCE_DATA belongs to the whole process: make one registry source, let main's objects
// own it (its destructor closes the key, which must not happen in DllMain or while static objects
// are destroyed), and use it from one thread at a time.
[[nodiscard]] std::expected<std::unique_ptr<CounterSource>, SourceError> make_registry_source(
    const QueryLimits& limits = {});

// The error names what is missing: the functions exist since Windows 10 1607 and Server 2016, but
// not in Wine.
[[nodiscard]] std::expected<std::unique_ptr<PerflibApi>, SourceError> make_perflib_api();

// The DLL that these functions come from, in win/ alone: its path is absolute, so that no search
// path applies. The program uses the system's; a test build links a different path. Empty if the
// system's folder is unknown.
[[nodiscard]] std::wstring perflib_library_path();

// The source of a remote machine's registry, opened with RegConnectRegistry.
//
// The first call that needs the machine connects. An error that a new connection may cure closes
// the handle, so that the next call connects again. A call can't be interrupted, and a machine that
// doesn't answer may block it for minutes. Its data is untrusted. Errors of its calls, in addition
// to those of any source: that of RegConnectRegistry, with `where` "remote.connect". `machine`: a
// name or an address in UTF-8, with or without "\\" before it; not empty. The error explains an
// invalid name, or that this platform doesn't support remote machines.
[[nodiscard]] std::expected<std::unique_ptr<CounterSource>, SourceError> make_remote_source(
    const std::string& machine, const QueryLimits& limits = {});

// The place of an error of connecting.
inline constexpr char kConnecting[] = "remote.connect";

}  // namespace winperf
