#include "collectors/provider/library_head.h"

#include <windows.h>

#include <array>
#include <cstddef>

#include "collectors/base/win/unique_handle.h"

namespace winperf {
namespace {

constexpr std::size_t kMaxConfigBytes = 8192;  // the documented maximum of QueryServiceConfig

bool is_disabled(SC_HANDLE service) {
  alignas(QUERY_SERVICE_CONFIGW) std::array<std::byte, kMaxConfigBytes> config{};
  DWORD needed = 0;
  return QueryServiceConfigW(service, reinterpret_cast<QUERY_SERVICE_CONFIGW*>(config.data()),
                             static_cast<DWORD>(config.size()), &needed) &&
         reinterpret_cast<const QUERY_SERVICE_CONFIGW*>(config.data())->dwStartType ==
             SERVICE_DISABLED;
}

}  // namespace

std::optional<PerfHost> read_perf_host() {
  const UniqueService manager(OpenSCManagerW(nullptr, nullptr, SC_MANAGER_CONNECT));
  if (!manager) return std::nullopt;
  const UniqueService service(
      OpenServiceW(manager.get(), L"PerfHost", SERVICE_QUERY_STATUS | SERVICE_QUERY_CONFIG));
  if (!service) {
    if (GetLastError() == ERROR_SERVICE_DOES_NOT_EXIST) return PerfHost::kAbsent;
    return std::nullopt;
  }
  SERVICE_STATUS status{};
  if (!QueryServiceStatus(service.get(), &status)) return std::nullopt;
  if (status.dwCurrentState == SERVICE_RUNNING) return PerfHost::kRunning;
  return is_disabled(service.get()) ? PerfHost::kDisabled : PerfHost::kStopped;
}

}  // namespace winperf
