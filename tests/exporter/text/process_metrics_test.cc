#include "exporter/text/exporter_registry.h"

#include <gmock/gmock.h>

#include "exporter/text/metrics_page.h"

namespace winperf {
namespace {

std::string text_of(const ProcessFacts& facts) {
  std::string text;
  append_families(text, process_metrics(facts));
  return text;
}

TEST(ProcessMetrics, HaveTheNamesThatAllExportersUse) {
  const std::string text = text_of(
      {.cpu_seconds = 1.5, .resident_bytes = 4096, .committed_bytes = 8192, .open_handles = 7});
  EXPECT_THAT(text, ::testing::HasSubstr("# TYPE process_cpu_seconds_total counter\n"
                                         "process_cpu_seconds_total 1.5\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\nprocess_open_fds 7\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\nprocess_resident_memory_bytes 4096\n"));
  EXPECT_THAT(text, ::testing::HasSubstr("\nprocess_virtual_memory_bytes 8192\n"));
}

TEST(ProcessMetrics, WhatIsNotKnownIsAbsent) {
  EXPECT_EQ(text_of({}), "");
  EXPECT_THAT(text_of({.open_handles = 0}), ::testing::HasSubstr("process_open_fds 0\n"));
}

TEST(ProcessFacts, OfThisProcess_ArePlausible) {
  const ProcessFacts facts = process_facts();
  ASSERT_TRUE(facts.cpu_seconds && facts.resident_bytes && facts.committed_bytes);
  EXPECT_GT(*facts.resident_bytes, 100'000);
  // Wine does not know them.
  EXPECT_GE(facts.open_handles.value_or(1), 1);
}

}  // namespace
}  // namespace winperf
