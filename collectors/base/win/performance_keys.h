// Where Windows keeps what it knows of performance counters, and the values there that several
// rooms read. Thread rule: any thread.
#pragma once

#include <string>

#include "collectors/base/win/key_reader.h"

namespace winperf {

inline constexpr const wchar_t* kServicesPath = L"SYSTEM\\CurrentControlSet\\Services";
inline constexpr const wchar_t* kDisableValue = L"Disable Performance Counters";

KeyReader perflib_key();
KeyReader services_key();
// Services\<service>\Performance.
KeyReader performance_key(const std::wstring& service);

// With environment variables replaced, whatever the value's type says: installers confuse the
// types, and paths with a percent sign are rarer than that.
std::wstring expanded(const std::wstring& text);

}  // namespace winperf
