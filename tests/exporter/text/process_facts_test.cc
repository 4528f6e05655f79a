#include "exporter/text/exporter_registry.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(ProcessFacts, OfThisProcess_ArePlausible) {
  const ProcessFacts facts = process_facts();
  ASSERT_TRUE(facts.cpu_seconds && facts.resident_bytes && facts.committed_bytes);
  EXPECT_GT(*facts.resident_bytes, 100'000);
  // Wine does not know them.
  EXPECT_GE(facts.open_handles.value_or(1), 1);
}

}  // namespace
}  // namespace winperf
