// What an object of WMI says, as a row of facts. Thread rule: any thread that has COM.
#pragma once

#include <windows.h>

// After windows.h.
#include <wbemidl.h>

#include <expected>

#include "collectors/facts/fact_table.h"
#include "collectors/model/error.h"

namespace winperf {

// Its properties, at most kMaxFactFields: see query_wmi(). The error's `where` is "wmi".
[[nodiscard]] std::expected<FactRow, Error> read_wmi_row(IWbemClassObject& object);

}  // namespace winperf
