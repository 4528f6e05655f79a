#include "exporter/http/host_names.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(NamesOfThisMachine, AreAtLeastOneAndNoneIsEmpty) {
  const std::vector<std::string> names = names_of_this_machine();
  EXPECT_FALSE(names.empty());
  for (const std::string& name : names) EXPECT_NE(name, "");
}

}  // namespace
}  // namespace winperf
