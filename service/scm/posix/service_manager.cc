#include "service/scm/service_manager.h"

namespace winperf {

std::expected<std::unique_ptr<ServiceManager>, std::string> open_service_manager() {
  return std::unexpected(
      std::string("services exist only on Windows; use \"winperf_exporter run\""));
}

}  // namespace winperf
