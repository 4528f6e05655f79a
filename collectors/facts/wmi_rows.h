// Converts rows of WMI to those of topics. Thread rule: any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "collectors/facts/fact_table.h"

namespace winperf {

// A row's property, whose name WMI itself compares without regard to case: it is DeviceID in one
// version of Windows and DeviceId in another. Null if it is absent.
const FactValue* property(const FactRow& row, std::string_view name);
// As text, or as a number; empty if it has another type.
std::string text_property(const FactRow& row, std::string_view name);
std::optional<double> number_property(const FactRow& row, std::string_view name);
// Copies it, if known, to a field: text as text, numbers as numbers; or a number as text.
void copy_property(const FactRow& from, std::string_view name, FactRow& to, std::string_view field);
void copy_as_text(const FactRow& from, std::string_view name, FactRow& to, std::string_view field);

// From Win32_Service: Name, Status.
FactTable service_status_rows(const FactTable& services);
// From Win32_Printer: Name, PrinterStatus, JobCountSinceLastReset; and Win32_PrintJob: Name, which
// is "<printer>, <job>", Status. The jobs are counted by status: "Error 1;Printing 2".
FactTable printer_rows(const FactTable& printers, const FactTable& jobs);
// From MSFT_FSRMQuota: Path, Template, Description, PeakUsage, Size, Usage, Disabled,
// MatchesTemplate, SoftLimit.
FactTable quota_rows(const FactTable& quotas);
// From MicrosoftDNS_Statistic: Name, CollectionName, DnsServerName, Value.
FactTable dns_statistic_rows(const FactTable& statistics);

}  // namespace winperf
