#include "tests/simulator/server/troubles.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "tests/simulator/fact_source.h"
#include "tests/simulator/server/server_machine.h"

namespace winperf::simulator {
namespace {

TEST(Troubles, AWellServerHasNone) {
  EXPECT_EQ(in_health(Health::kWell, "facts.json", "text"), "text");
}

TEST(Troubles, EachChangesWhatIsThere) {
  EXPECT_NO_THROW(server_data({.health = Health::kTroubled}));
  const std::string facts = in_health(Health::kTroubled, "facts.json", server_facts());
  EXPECT_NE(facts, server_facts());
  EXPECT_NE(facts.find("Pred Fail"), std::string::npos);
}

TEST(Troubles, WhatIsNotThereJustOnceIsAnError) {
  EXPECT_THROW(in_health(Health::kTroubled, "facts.json", "{}"), std::out_of_range);
  const std::string twice = std::string(server_facts()) + std::string(server_facts());
  EXPECT_THROW(in_health(Health::kTroubled, "facts.json", twice), std::out_of_range);
}

}  // namespace
}  // namespace winperf::simulator
