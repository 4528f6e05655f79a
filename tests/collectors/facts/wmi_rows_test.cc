#include "collectors/facts/wmi_rows.h"

#include <gtest/gtest.h>

namespace winperf {
namespace {

TEST(WmiRowsTest, ServiceStatus_IsInLowerCase) {
  FactTable services{.problems = {"p"}};
  services.add().text("Name", "Spooler").text("Status", "Pred Fail");
  services.add().text("NAME", "Eventlog");
  services.add().text("Status", "OK");
  FactTable expected{.problems = {"p"}};
  expected.add().text("name", "Spooler").text("status", "pred fail");
  expected.add().text("name", "Eventlog");
  EXPECT_EQ(service_status_rows(services), expected);
}

TEST(WmiRowsTest, Printers_HaveTheirJobs) {
  FactTable printers{.problems = {"a"}};
  printers.add().text("Name", "HP").number("PrinterStatus", 4).number("JobCountSinceLastReset", 12);
  printers.add().text("Name", "Old").number("PrinterStatus", 8);
  printers.add().text("Name", "Odd").number("PrinterStatus", -1);
  printers.add().number("PrinterStatus", 3);
  FactTable jobs{.problems = {"b"}};
  jobs.add().text("Name", "HP, 5").text("Status", "OK");
  jobs.add().text("Name", "HP, 6").text("Status", "OK");
  FactTable expected{.problems = {"a", "b"}};
  expected.add()
      .text("printer", "HP")
      .text("status", "Printing")
      .number("jobs_total", 12)
      .text("jobs", "OK 2");
  expected.add().text("printer", "Old");
  expected.add().text("printer", "Odd");
  EXPECT_EQ(printer_rows(printers, jobs), expected);
}

TEST(WmiRowsTest, Quotas_HaveWhatIsKnown) {
  FactTable quotas{.problems = {"p"}};
  quotas.add()
      .text("Path", "D:\\Home")
      .text("Template", "T")
      .number("Size", 100)
      .number("Usage", 40)
      .number("SoftLimit", 1);
  quotas.add().number("Size", 1);
  FactTable expected{.problems = {"p"}};
  expected.add()
      .text("path", "D:\\Home")
      .text("template", "T")
      .number("size", 100)
      .number("usage", 40)
      .number("soft_limit", 1);
  EXPECT_EQ(quota_rows(quotas), expected);
}

TEST(WmiRowsTest, DnsStatistics_HaveTheirCountsAsNumbersOrAsText) {
  FactTable statistics{.problems = {"p"}};
  statistics.add()
      .text("Name", "NxDomain")
      .text("CollectionName", "Error Stats")
      .text("DnsServerName", "srv01.example.com")
      .number("Value", 4294967295);
  statistics.add().text("name", "ServFail").text("value", "12");
  statistics.add().text("Name", "Refused").text("Value", "-1");
  statistics.add().text("Name", "NotAuth").text("Value", "12 ");
  statistics.add().text("Name", "NoError").text("Value", "0");
  statistics.add().text("Name", "FormError");
  statistics.add().number("Value", 1);
  FactTable expected{.problems = {"p"}};
  expected.add()
      .text("name", "NxDomain")
      .text("collection", "Error Stats")
      .text("server", "srv01.example.com")
      .number("value", 4294967295);
  expected.add().text("name", "ServFail").number("value", 12);
  expected.add().text("name", "Refused");
  expected.add().text("name", "NotAuth");
  expected.add().text("name", "NoError").number("value", 0);
  expected.add().text("name", "FormError");
  EXPECT_EQ(dns_statistic_rows(statistics), expected);
}

}  // namespace
}  // namespace winperf
