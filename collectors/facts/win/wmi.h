// Queries WMI. The answer comes from the service Winmgmt and the providers that it loads, and may
// take long; a query times out after kLongestWmiQuery. Thread rule: any thread.
#pragma once

#include <windows.h>

// After windows.h.
#include <wbemidl.h>

#include <chrono>
#include <expected>
#include <string_view>

#include "collectors/facts/fact_table.h"
#include "collectors/facts/wmi_rows.h"  // how the answer is read
#include "collectors/model/error.h"

namespace winperf {

inline constexpr std::chrono::seconds kLongestWmiQuery{60};

// The rows of a WQL query in a namespace such as L"root\\cimv2"; the fields have the names of the
// properties. Text is in UTF-8, dates are text in WMI's format, booleans are 0 or 1. Properties
// that are null, empty, lists or objects are absent. Name the properties: SELECT * also requests
// slow ones.
//
// Errors, with `where` "wmi" and the HRESULT as os_code: kUnsupported (no WMI, class or namespace),
// kAccessDenied, kNotRunning (its service can't be started), kTimedOut, kOsError.
[[nodiscard]] std::expected<FactTable, Error> query_wmi(std::wstring_view name_space,
                                                        std::wstring_view wql);

// For other COM interfaces, too.
Error com_error(HRESULT result, const char* where);

// Converts a WMI object to a row of facts. Thread rule: any thread that has COM.

// Its properties, at most kMaxFactFields: see query_wmi(). The error's `where` is "wmi".
[[nodiscard]] std::expected<FactRow, Error> read_wmi_row(IWbemClassObject& object);

}  // namespace winperf
