// The topics that only WMI has.
#include "collectors/facts/win/topics.h"
#include "collectors/facts/win/wmi.h"
#include "collectors/facts/wmi_rows.h"

namespace winperf {

FactAnswer read_printers() {
  constexpr std::wstring_view kNamespace = L"root\\cimv2";
  const auto printers = query_wmi(
      kNamespace, L"SELECT Name, PrinterStatus, JobCountSinceLastReset FROM Win32_Printer");
  if (!printers) return std::unexpected(printers.error());
  auto jobs = query_wmi(kNamespace, L"SELECT Name, Status FROM Win32_PrintJob");
  if (!jobs) jobs = FactTable{.problems = {"print jobs: " + describe(jobs.error())}};
  return printer_rows(*printers, *jobs);
}

FactAnswer read_service_status() {
  const auto services = query_wmi(L"root\\cimv2", L"SELECT Name, Status FROM Win32_Service");
  if (!services) return std::unexpected(services.error());
  return service_status_rows(*services);
}

FactAnswer read_quotas() {
  const auto quotas = query_wmi(L"root\\microsoft\\windows\\fsrm",
                                L"SELECT Path, Template, Description, PeakUsage, Size, Usage, "
                                L"Disabled, MatchesTemplate, SoftLimit FROM MSFT_FSRMQuota");
  // Without File Server Resource Manager there are no quotas, which is no failure.
  if (!quotas && quotas.error().code == ErrorCode::kUnsupported) return FactTable{};
  if (!quotas) return std::unexpected(quotas.error());
  return quota_rows(*quotas);
}

// Source: Microsoft Learn, MicrosoftDNS_Statistic.
FactAnswer read_dns_statistics() {
  // The other collections are what the counters of the object DNS tell, too.
  const auto statistics =
      query_wmi(L"root\\MicrosoftDNS",
                L"SELECT Name, CollectionName, DnsServerName, Value FROM MicrosoftDNS_Statistic "
                L"WHERE CollectionName = 'Error Stats'");
  // Without the DNS server there are no statistics, which is no failure.
  if (!statistics && statistics.error().code == ErrorCode::kUnsupported) return FactTable{};
  if (!statistics) return std::unexpected(statistics.error());
  return dns_statistic_rows(*statistics);
}

}  // namespace winperf
