#include "exporter/text/process_facts.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace winperf {
namespace {

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
