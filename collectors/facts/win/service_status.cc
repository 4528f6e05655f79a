#include "collectors/facts/win/topics.h"
#include "collectors/facts/win/wmi.h"
#include "collectors/facts/wmi_rows.h"

namespace winperf {

FactAnswer read_service_status() {
  const auto services = query_wmi(L"root\\cimv2", L"SELECT Name, Status FROM Win32_Service");
  if (!services) return std::unexpected(services.error());
  return service_status_rows(*services);
}

}  // namespace winperf
