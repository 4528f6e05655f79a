#include <windows.h>

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/returned_buffer.h"
#include "collectors/facts/win/service_configs.h"
#include "collectors/facts/win/topics.h"
#include "collectors/model/error.h"

namespace winperf {
namespace {

struct Service {
  std::wstring name{};
  std::wstring display_name{};
  SERVICE_STATUS_PROCESS status{};
};

constexpr const char* kServices = "services";
constexpr DWORD kPageBytes = 256 * 1024;  // the documented maximum
constexpr int kMaxPages = 64;

void add_page(ReturnedBuffer& page, DWORD count, std::vector<Service>& services) {
  const auto* const first = static_cast<const ENUM_SERVICE_STATUS_PROCESSW*>(page.data());
  for (DWORD index = 0; index < count; ++index) {
    const auto* const entry = page.at<ENUM_SERVICE_STATUS_PROCESSW>(first + index);
    if (entry == nullptr) return;
    const auto name = page.text(entry->lpServiceName);
    if (!name) continue;
    services.push_back({.name = std::wstring(*name),
                        .display_name = std::wstring(page.text(entry->lpDisplayName).value_or(L"")),
                        .status = entry->ServiceStatusProcess});
  }
}

// Without drivers. The handle has SC_MANAGER_ENUMERATE_SERVICE.
std::expected<std::vector<Service>, Error> list_services(SC_HANDLE manager) {
  ReturnedBuffer page(kPageBytes);
  std::vector<Service> services;
  DWORD resume = 0;
  for (int pages = 0; pages < kMaxPages; ++pages) {
    DWORD needed = 0;
    DWORD count = 0;
    const BOOL complete = EnumServicesStatusExW(manager, SC_ENUM_PROCESS_INFO, SERVICE_WIN32,
                                                SERVICE_STATE_ALL, static_cast<LPBYTE>(page.data()),
                                                kPageBytes, &needed, &count, &resume, nullptr);
    const DWORD code = complete ? ERROR_SUCCESS : GetLastError();
    if (!complete && code != ERROR_MORE_DATA) return os_failure(code, kServices);
    add_page(page, count, services);
    if (complete) return services;
    if (count == 0) break;
  }
  return std::unexpected(
      Error{.code = ErrorCode::kBufferLimit, .where = kServices, .limit = kMaxPages * kPageBytes});
}

using StartTimes = std::map<std::uint64_t, std::uint64_t>;  // by process id, as FILETIME

void add_status(const SERVICE_STATUS_PROCESS& status, const StartTimes& times, FactRow& row) {
  put_known(row, "state", service_state_name(status.dwCurrentState));
  if (status.dwCurrentState == SERVICE_STOPPED) row.number("exit_code", status.dwWin32ExitCode);
  if (status.dwProcessId == 0) return;
  row.number("process_id", status.dwProcessId);
  const auto found = times.find(status.dwProcessId);
  if (found != times.end()) put_known(row, "process_started", unix_seconds(found->second));
}

StartTimes start_times(FactTable& table) {
  StartTimes times;
  const auto processes = all_processes();
  if (!processes)
    table.problems.push_back("the services' processes: " + describe(processes.error()));
  if (processes)
    for (const ProcessEntry& process : *processes) times[process.process_id] = process.created;
  return times;
}

}  // namespace

FactAnswer read_services(ServiceConfigs& configs) {
  const UniqueService manager(
      OpenSCManagerW(nullptr, nullptr, SC_MANAGER_CONNECT | SC_MANAGER_ENUMERATE_SERVICE));
  if (!manager) return os_failure(GetLastError(), kServices);
  const auto services = list_services(manager.get());
  if (!services) return std::unexpected(services.error());
  FactTable table;
  const StartTimes times = start_times(table);
  for (const Service& service : *services) {
    FactRow row;
    row.text("name", to_utf8(service.name));
    put_known(row, "display_name", to_utf8(service.display_name));
    const DWORD code = configs.add(manager.get(), service.name, row);
    if (code == ERROR_SERVICE_DOES_NOT_EXIST) continue;  // it was removed since
    if (code != ERROR_SUCCESS)
      table.problems.push_back(refusal_text("the service " + row.text_of("name"), code));
    add_status(service.status, times, row);
    table.rows.push_back(std::move(row));
  }
  configs.end_reading();
  return table;
}

}  // namespace winperf
