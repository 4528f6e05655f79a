// Windows has the real section, so its simulated machine has none.
#include "tests/simulator/codes.h"
#include "tests/simulator/own_section.h"

namespace winperf::simulator {

std::uint32_t with_section_file(const std::filesystem::path&, UseSection, void*) {
  return kFileNotFound;
}

}  // namespace winperf::simulator
