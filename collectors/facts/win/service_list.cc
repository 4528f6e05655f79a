#include "collectors/facts/win/service_list.h"

#include <cstddef>

#include "collectors/facts/refusals.h"
#include "collectors/facts/win/returned_buffer.h"

namespace winperf {
namespace {

constexpr const char* kWhere = "services";
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

}  // namespace

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
    if (!complete && code != ERROR_MORE_DATA) return os_failure(code, kWhere);
    add_page(page, count, services);
    if (complete) return services;
    if (count == 0) break;
  }
  return std::unexpected(
      Error{.code = ErrorCode::kBufferLimit, .where = kWhere, .limit = kMaxPages * kPageBytes});
}

}  // namespace winperf
