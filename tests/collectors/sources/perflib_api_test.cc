#include "collectors/sources/perflib_api.h"

#include <gtest/gtest.h>

#include <utility>

namespace winperf {
namespace {

// PERF_REG_* of perflib.h.
TEST(RegistrationInfo, HasTheNumbersOfWindows) {
  constexpr std::pair<RegistrationInfo, std::uint32_t> kNumbers[] = {
      {RegistrationInfo::kCounterset, 1},
      {RegistrationInfo::kCounter, 2},
      {RegistrationInfo::kCountersetName, 3},
      {RegistrationInfo::kCountersetHelp, 4},
      {RegistrationInfo::kCounterNames, 5},
      {RegistrationInfo::kCounterHelps, 6},
      {RegistrationInfo::kProviderName, 7},
      {RegistrationInfo::kProviderGuid, 8},
      {RegistrationInfo::kCountersetEnglishName, 9},
      {RegistrationInfo::kCounterEnglishNames, 10},
  };
  for (const auto& [info, number] : kNumbers) EXPECT_EQ(static_cast<std::uint32_t>(info), number);
}

}  // namespace
}  // namespace winperf
