// Source: Microsoft Learn, MicrosoftDNS_Statistic.
#include "collectors/facts/win/topics.h"
#include "collectors/facts/win/wmi.h"
#include "collectors/facts/wmi_rows.h"

namespace winperf {

FactAnswer read_dns_statistics() {
  // The other collections are what the counters of the object DNS tell, too.
  const auto statistics =
      query_wmi(L"root\\MicrosoftDNS",
                L"SELECT Name, CollectionName, DnsServerName, Value FROM MicrosoftDNS_Statistic "
                L"WHERE CollectionName = 'Error Stats'");
  // Without the DNS server there are no statistics, which is no failure.
  if (!statistics && statistics.error().code == ErrorCode::kUnsupported) return FactTable{};
  if (!statistics) return std::unexpected(statistics.error());
  return dns_statistic_rows(*statistics);
}

}  // namespace winperf
