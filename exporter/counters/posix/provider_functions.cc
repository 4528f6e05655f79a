#include <expected>
#include <memory>
#include <string>

#include "exporter/counters/v2_provider.h"

namespace winperf::own {

std::expected<std::unique_ptr<ProviderFunctions>, std::string> make_provider_functions() {
  return std::unexpected("only Windows has PerfLib's functions for providers");
}

}  // namespace winperf::own
