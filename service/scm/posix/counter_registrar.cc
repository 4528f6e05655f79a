#include "service/scm/counter_registrar.h"

namespace winperf {

std::expected<std::unique_ptr<CounterRegistrar>, std::string> open_counter_registrar() {
  return std::unexpected(std::string("counters are registered only on Windows"));
}

}  // namespace winperf
