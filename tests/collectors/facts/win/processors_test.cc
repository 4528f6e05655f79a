#include <windows.h>

#include <gtest/gtest.h>

#include "collectors/facts/win/topics.h"
#include "tests/collectors/facts/win/fact_values.h"

namespace winperf {
namespace {

double sum_of(const FactTable& table, std::string_view field) {
  double sum = 0;
  for (const FactRow& row : table.rows) sum += number_of(row, field);
  return sum;
}

void expect_processors(const FactAnswer& answer) {
  ASSERT_TRUE(answer) << describe(answer.error());
  ASSERT_FALSE(answer->rows.empty());
  EXPECT_TRUE(says_only_what_is_known(*answer));
  EXPECT_EQ(sum_of(*answer, "logical_processors"), GetActiveProcessorCount(ALL_PROCESSOR_GROUPS));
  SYSTEM_INFO system{};
  GetNativeSystemInfo(&system);
  std::size_t number = 0;
  for (const FactRow& row : answer->rows) {
    EXPECT_EQ(row.text_of("device_id"), "CPU" + std::to_string(number++));
    EXPECT_NE(row.find("name"), nullptr);
    EXPECT_NE(row.find("description"), nullptr);
    EXPECT_EQ(*row.find("architecture"), FactValue(std::to_string(system.wProcessorArchitecture)));
    EXPECT_GE(number_of(row, "cores"), 1);
    EXPECT_LE(number_of(row, "cores"), number_of(row, "logical_processors"));
  }
}

TEST(ProcessorFacts, AllLogicalProcessorsBelongToASocket) { expect_processors(read_processors()); }

TEST(ProcessorFacts, SoTheyDoWithoutWmi) { expect_processors(read_processors_without_wmi()); }

TEST(ProcessorFacts, BothWaysTellTheSame) {
  const auto by_wmi = read_processors();
  const auto by_kernel = read_processors_without_wmi();
  ASSERT_TRUE(by_wmi);
  ASSERT_TRUE(by_kernel);
  EXPECT_EQ(sum_of(*by_wmi, "cores"), sum_of(*by_kernel, "cores"));
  EXPECT_EQ(by_wmi->rows.front().text_of("description"),
            by_kernel->rows.front().text_of("description"));
}

TEST(ProcessorFacts, CachesAreBytes) {
  const auto answer = read_processors_without_wmi();
  ASSERT_TRUE(answer);
  for (const FactRow& row : answer->rows) {
    if (row.find("l2_cache") == nullptr) continue;
    EXPECT_GE(number_of(row, "l2_cache"), 64 * 1'024) << "not kilobytes";
  }
}

}  // namespace
}  // namespace winperf
