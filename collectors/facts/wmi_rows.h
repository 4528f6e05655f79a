// From the rows of WMI to those of topics. Thread rule: any thread.
#pragma once

#include "collectors/facts/fact_table.h"

namespace winperf {

// From Win32_Service: Name, Status.
FactTable service_status_rows(const FactTable& services);
// From Win32_Printer: Name, PrinterStatus, JobCountSinceLastReset; and Win32_PrintJob: Name,
// Status.
FactTable printer_rows(const FactTable& printers, const FactTable& jobs);
// From MSFT_FSRMQuota: Path, Template, Description, PeakUsage, Size, Usage, Disabled,
// MatchesTemplate, SoftLimit.
FactTable quota_rows(const FactTable& quotas);
// From MicrosoftDNS_Statistic: Name, CollectionName, DnsServerName, Value.
FactTable dns_statistic_rows(const FactTable& statistics);

}  // namespace winperf
