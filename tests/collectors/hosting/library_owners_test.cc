#include "collectors/hosting/provider_host.h"

#include <gmock/gmock.h>

namespace winperf {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> owners(const std::vector<std::string>& modules) {
  const std::vector<ProviderRegistration> all{
      {.service = "One", .library = R"(C:\Program Files\One\Counters.DLL)"},
      {.service = "Two", .library = "two"},
      {.service = "Off", .library = "off.dll", .disabled = true},
      {.service = "None", .library = ""},
      {.service = "Three", .library = "sub/counters.dll"}};
  std::vector<std::string> services;
  for (const ProviderRegistration* const owner : owners_of(modules, all))
    services.push_back(owner->service);
  return services;
}

TEST(LibraryOwners, AreFoundByTheNameOfTheFile) {
  EXPECT_THAT(owners({"TWO.dll"}), ElementsAre("Two"));
  EXPECT_THAT(owners({"counters.dll"}), ElementsAre("One", "Three"));
  EXPECT_THAT(owners({"ntdll.dll", "two.dll", "counters.dll", "advapi32.dll"}),
              ElementsAre("One", "Three"))
      << "whom the system has called, and not whose library that one called";
}

TEST(LibraryOwners, AreNoneOfOtherModules) {
  EXPECT_THAT(owners({}), IsEmpty());
  EXPECT_THAT(owners({"ntdll.dll", "two", "off.dll", "", ".dll"}), IsEmpty());
}

}  // namespace
}  // namespace winperf
