// PerfLib's functions for providers, as pointers, so that a test can put its own in their place.
//
// The control callback has no context, so a process has one provider at a time; a second one gets
// ERROR_BUSY. Values by reference lie in memory that is kept until their instance is deleted.
// Thread rule: as ProviderFunctions (v2_provider.h). Source: perflib.h.
#pragma once

#include <windows.h>

#include <perflib.h>

#include <expected>
#include <memory>
#include <string>

#include "exporter/counters/v2_provider.h"

namespace winperf::own {

struct ProviderCalls {
  ULONG(WINAPI* start)(LPGUID, PPERF_PROVIDER_CONTEXT, HANDLE*) = nullptr;
  ULONG(WINAPI* describe)(HANDLE, PPERF_COUNTERSET_INFO, ULONG) = nullptr;
  PPERF_COUNTERSET_INSTANCE(WINAPI* create)(HANDLE, LPCGUID, LPCWSTR, ULONG) = nullptr;
  ULONG(WINAPI* set_ulong)(HANDLE, PPERF_COUNTERSET_INSTANCE, ULONG, ULONG) = nullptr;
  ULONG(WINAPI* set_ulonglong)(HANDLE, PPERF_COUNTERSET_INSTANCE, ULONG, ULONGLONG) = nullptr;
  ULONG(WINAPI* set_reference)(HANDLE, PPERF_COUNTERSET_INSTANCE, ULONG, PVOID) = nullptr;
  ULONG(WINAPI* remove)(HANDLE, PPERF_COUNTERSET_INSTANCE) = nullptr;
  ULONG(WINAPI* stop)(HANDLE) = nullptr;
};

// The functions that `library`, such as advapi32.dll, exports; an error names the first that is
// missing.
[[nodiscard]] std::expected<ProviderCalls, std::string> provider_calls_of(HMODULE library);

std::unique_ptr<ProviderFunctions> provider_functions_of(const ProviderCalls& calls);

}  // namespace winperf::own
