// The services that the service control manager has, without its drivers. Thread rule: any thread.
#pragma once

#include <windows.h>

#include <expected>
#include <string>
#include <vector>

#include "collectors/model/error.h"

namespace winperf {

struct Service {
  std::wstring name{};
  std::wstring display_name{};
  SERVICE_STATUS_PROCESS status{};
};

// The handle has SC_MANAGER_ENUMERATE_SERVICE.
[[nodiscard]] std::expected<std::vector<Service>, Error> list_services(SC_HANDLE manager);

}  // namespace winperf
