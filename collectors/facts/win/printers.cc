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

}  // namespace winperf
