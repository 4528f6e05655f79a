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

constexpr DWORD kConfigBytes = 8 * 1024;  // the documented maximum

bool starts_delayed(SC_HANDLE service) {
  SERVICE_DELAYED_AUTO_START_INFO info{};
  DWORD needed = 0;
  return QueryServiceConfig2W(service, SERVICE_CONFIG_DELAYED_AUTO_START_INFO,
                              reinterpret_cast<LPBYTE>(&info), sizeof info, &needed) &&
         info.fDelayedAutostart;
}

// Adds the service's configuration. The result is Windows' code.
DWORD add_config(SC_HANDLE manager, const Service& service, FactRow& row) {
  const UniqueService handle(OpenServiceW(manager, service.name.c_str(), SERVICE_QUERY_CONFIG));
  if (!handle) return GetLastError();
  ReturnedBuffer buffer(kConfigBytes);
  auto* const config = static_cast<QUERY_SERVICE_CONFIGW*>(buffer.data());
  DWORD needed = 0;
  if (!QueryServiceConfigW(handle.get(), config, kConfigBytes, &needed)) return GetLastError();
  const auto text = [&buffer](const wchar_t* at) { return to_utf8(buffer.text(at).value_or(L"")); };
  put_known(row, "run_as", text(config->lpServiceStartName));
  put_known(row, "path_name", text(config->lpBinaryPathName));
  put_known(row, "start_mode", service_start_name(config->dwStartType));
  if (config->dwStartType == SERVICE_AUTO_START)
    row.number("delayed", starts_delayed(handle.get()) ? 1 : 0);
  return ERROR_SUCCESS;
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

FactAnswer read_services() {
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
    const DWORD code = add_config(manager.get(), service, row);
    if (code == ERROR_SERVICE_DOES_NOT_EXIST) continue;  // it was removed since
    if (code != ERROR_SUCCESS)
      table.problems.push_back(refusal_text("the service " + row.text_of("name"), code));
    add_status(service.status, times, row);
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace winperf
