#include "collectors/model/provider_state.h"

#include <array>

namespace winperf {

std::string_view name_of(ProviderStanding standing) {
  static constexpr std::array<std::string_view, kProviderStandingCount> kNames{
      "new", "trusted", "probation", "quarantine", "shared"};
  return kNames.at(static_cast<std::size_t>(standing));
}

}  // namespace winperf
