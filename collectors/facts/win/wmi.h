// Asks WMI, the part of Windows in which drivers and services describe themselves. The answer comes
// from the service Winmgmt and from providers that it loads; it may take as long as these like, but
// this gives up a query after kLongestWmiQuery.
// Thread rule: any thread.
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

// The rows of a WQL query in a namespace such as L"root\\cimv2"; the fields are called as the
// properties. Text is in UTF-8, dates are text as WMI writes them, truth is 0 or 1. Properties that
// are null, empty, lists or objects are absent. Name the properties: SELECT * asks for more than
// anybody needs, and some take long.
//
// Errors, with `where` "wmi" and the HRESULT as os_code: kUnsupported (there is no WMI, no such
// class or namespace), kAccessDenied, kNotRunning (its service can't be started), kTimedOut,
// kOsError.
[[nodiscard]] std::expected<FactTable, Error> query_wmi(std::wstring_view name_space,
                                                        std::wstring_view wql);

// For other COM interfaces, too.
Error com_error(HRESULT result, const char* where);

// What an object of WMI says, as a row of facts. Thread rule: any thread that has COM.

// Its properties, at most kMaxFactFields: see query_wmi(). The error's `where` is "wmi".
[[nodiscard]] std::expected<FactRow, Error> read_wmi_row(IWbemClassObject& object);

}  // namespace winperf
