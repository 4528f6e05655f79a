// Reads the rows that WMI has answered. Thread rule: any thread.
#pragma once

#include <string_view>

#include "collectors/facts/fact_table.h"

namespace winperf {

// A row's property, whose name WMI itself compares without regard to case: it is DeviceID in one
// version of Windows and DeviceId in another. Null if it is absent.
const FactValue* property(const FactRow& row, std::string_view name);
// Copies it, if it is known, to a field: text as text, numbers as numbers; or a number as text.
void copy_property(const FactRow& from, std::string_view name, FactRow& to, std::string_view field);
void copy_as_text(const FactRow& from, std::string_view name, FactRow& to, std::string_view field);

}  // namespace winperf
