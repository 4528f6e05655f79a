// Topics that come from WMI: service_status, printers and dns_statistics.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "collectors/facts/win/service_configs.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

// WMI and the service control manager know the same services.
TEST(WmiTopicsTest, ServicesOfThisMachine_AreThere) {
  const auto status = read_service_status();
  ServiceConfigs configs;
  const auto services = read_services(configs);
  ASSERT_TRUE(status) << describe(status.error());
  ASSERT_TRUE(services) << describe(services.error());
  ASSERT_FALSE(services->rows.empty());
  for (const FactRow& service : services->rows) {
    const std::string name = service.text_of("name");
    const auto is_it = [&name](const FactRow& row) { return row.text_of("name") == name; };
    EXPECT_EQ(std::ranges::count_if(status->rows, is_it), 1) << name;
  }
}

// Wine without a printing system has no printers, and no class for their jobs.
TEST(WmiTopicsTest, PrintersOfThisMachine_Answer) {
  const auto printers = read_printers();
  ASSERT_TRUE(printers) << describe(printers.error());
  for (const FactRow& row : printers->rows) EXPECT_NE(row.find("printer"), nullptr);
  for (const std::string& problem : printers->problems) ADD_FAILURE() << problem;
}

// A machine without the DNS server, as Wine is one, has no such namespace.
TEST(WmiTopicsTest, DnsStatisticsOfThisMachine_AreEmptyWithoutAServer) {
  const auto statistics = read_dns_statistics();
  ASSERT_TRUE(statistics) << describe(statistics.error());
  for (const FactRow& row : statistics->rows) EXPECT_NE(row.find("value"), nullptr);
}

}  // namespace
}  // namespace winperf
