#include "service/selftest/worker_grants.h"

namespace winperf::selftest {

std::optional<MachineGrants> probe_grants(const std::filesystem::path&, const StopToken&) {
  return std::nullopt;
}

}  // namespace winperf::selftest
