// How each topic is read from Windows. docs/facts.md names the fields of the rows.
// Thread rule: any thread of a process in which COM is free to be initialized.
#pragma once

#include <windows.h>

#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "collectors/facts/fact_table.h"
#include "collectors/facts/process_list.h"
#include "collectors/facts/win/returned_buffer.h"
#include "collectors/model/error.h"

namespace winperf {

class ServiceConfigs;

using FactAnswer = std::expected<FactTable, Error>;

FactAnswer read_os();
FactAnswer read_time();
FactAnswer read_memory();
FactAnswer read_processors();
// From the kernel and the registry, if WMI doesn't answer: without the firmware's number of enabled
// cores and WMI's family number.
FactAnswer read_processors_without_wmi();
FactAnswer read_disks();
FactAnswer read_volumes();
FactAnswer read_adapters();
FactAnswer read_connections();
// `configs`: the same object for all readings.
FactAnswer read_services(ServiceConfigs& configs);
FactAnswer read_service_status();
FactAnswer read_logons();
FactAnswer read_sessions();
FactAnswer read_tasks();
FactAnswer read_printers();
FactAnswer read_quotas();
FactAnswer read_license();
FactAnswer read_dns_statistics();
FactAnswer read_dhcp_scopes();
FactAnswer read_processes();
// All processes; no privilege is needed.
[[nodiscard]] std::expected<std::vector<ProcessEntry>, Error> all_processes();
// In Windows' answer: a UNICODE_STRING at the beginning, whose text is elsewhere in the answer.
std::optional<std::string> command_line_in(ReturnedBuffer& answer);
// The key with the value ExistingPageFiles; a parameter for tests.
FactAnswer read_pagefiles(
    HKEY root = HKEY_LOCAL_MACHINE,
    const std::wstring& path =
        L"SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management");
// The key InetStp; no row without a version.
FactAnswer read_iis(HKEY root = HKEY_LOCAL_MACHINE,
                    const std::wstring& path = L"SOFTWARE\\Microsoft\\InetStp");
// The key Microsoft SQL Server.
FactAnswer read_sql_servers(
    HKEY root = HKEY_LOCAL_MACHINE,
    const std::wstring& path = L"SOFTWARE\\Microsoft\\Microsoft SQL Server");

}  // namespace winperf
