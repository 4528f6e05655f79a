#include "service/selftest/machine_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace winperf::selftest {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

TEST(MachineNames, AreFoundByIndexOrGuid) {
  const auto english = nlohmann::json::parse(R"({"countersets": [
      {"name": "Memory", "object_index": 4},
      {"name": "Energy Meter", "object_index": null, "guid": "{A}"},
      {"name": "Only here", "object_index": 9}]})");
  const auto local = nlohmann::json::parse(R"({"countersets": [
      {"name": "Energieanzeige", "object_index": null, "guid": "{A}"},
      {"name": "Arbeitsspeicher", "object_index": 4}]})");
  EXPECT_THAT(machine_names(english, local), ElementsAre(Pair("Energy Meter", "Energieanzeige"),
                                                         Pair("Memory", "Arbeitsspeicher")));
}

TEST(MachineNames, AreNotGuessedFromWhatHasNoIdentity) {
  const auto nameless = nlohmann::json::parse(R"({"countersets": [{"name": "Memory"}, 7, null]})");
  EXPECT_THAT(machine_names(nameless, nameless), IsEmpty());
  EXPECT_THAT(machine_names({}, nlohmann::json::array()), IsEmpty());
  const auto unnamed = nlohmann::json::parse(R"({"countersets": [{"object_index": 4}]})");
  const auto named =
      nlohmann::json::parse(R"({"countersets": [{"object_index": 4, "name": "M"}]})");
  EXPECT_THAT(machine_names(named, unnamed), IsEmpty());
}

}  // namespace
}  // namespace winperf::selftest
