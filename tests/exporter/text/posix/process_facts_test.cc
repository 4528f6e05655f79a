#include "exporter/text/exporter_registry.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <ctime>

namespace winperf {
namespace {

double processor_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

// The kernel counts a part of it by ticks, of which there are at least a hundred a second.
TEST(ProcessFacts, ProcessorTimeIsThatOfTheProcessInSeconds) {
  constexpr double kTick = 0.02;
  while (processor_seconds() < 0.1) {
  }
  const double before = processor_seconds();
  const ProcessFacts facts = process_facts();
  ASSERT_TRUE(facts.cpu_seconds);
  EXPECT_GE(*facts.cpu_seconds, before - kTick);
  EXPECT_LE(*facts.cpu_seconds, processor_seconds() + kTick);
}

TEST(ProcessFacts, AFileThatIsOpenedIsAHandleMore) {
  const ProcessFacts before = process_facts();
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  const ProcessFacts after = process_facts();
  std::fclose(file);
  ASSERT_TRUE(before.open_handles && after.open_handles);
  EXPECT_EQ(*after.open_handles, *before.open_handles + 1);
}

}  // namespace
}  // namespace winperf
