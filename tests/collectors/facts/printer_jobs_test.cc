#include "collectors/facts/wmi_rows.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(PrinterJobsTest, Jobs_AreCountedByPrinterAndStatus) {
  PrinterJobs jobs;
  jobs.add("HP LaserJet, 12", "Printing");
  jobs.add("HP LaserJet, 13", "Error");
  jobs.add("HP LaserJet, 14", "Printing");
  jobs.add("Other, 1", "OK");
  EXPECT_EQ(jobs.of("HP LaserJet"), "Error 1;Printing 2");
  EXPECT_EQ(jobs.of("Other"), "OK 1");
  EXPECT_EQ(jobs.of("HP"), "");
}

TEST(PrinterJobsTest, StatusWithASemicolon_IsOneStatus) {
  PrinterJobs jobs;
  jobs.add("p", "a;b");
  EXPECT_EQ(jobs.of("p"), "a,b 1");
}

}  // namespace
}  // namespace winperf
