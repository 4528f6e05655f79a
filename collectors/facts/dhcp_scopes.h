// The scopes of a DHCP server, assembled from several queries: a refused query is reported, and
// only its part is missing. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "collectors/facts/fact_table.h"

namespace winperf {

// A subnet, which has one scope. Addresses are numbers: 10.0.0.1 is 0x0A000001.
struct DhcpSubnet {
  std::uint32_t mask = 0;
  std::uint32_t state = 0;  // DHCP_SUBNET_STATE
  std::string name{};
};

// The entry of a subnet in the table of superscopes, which also lists subnets without one.
struct DhcpSuperscope {
  std::uint32_t subnet = 0;
  std::uint32_t number = 0;  // 0: none
  std::string name{};
};

// The server's counts for a subnet.
struct DhcpUse {
  std::uint32_t subnet = 0;
  std::uint32_t free = 0;
  std::uint32_t in_use = 0;
  std::uint32_t pending_offers = 0;
};

// The counts of a failover relationship: of both servers together, and of each.
struct DhcpFailover {
  std::uint32_t free = 0;
  std::uint32_t in_use = 0;
  std::uint32_t free_here = 0;
  std::uint32_t in_use_here = 0;
  std::uint32_t free_on_partner = 0;
  std::uint32_t in_use_on_partner = 0;
};

class DhcpServer {
 public:
  template <class Value>
  using Answer = std::expected<Value, std::uint32_t>;  // the error is Windows' code

  DhcpServer() = default;
  DhcpServer(const DhcpServer&) = delete;
  DhcpServer& operator=(const DhcpServer&) = delete;
  virtual ~DhcpServer() = default;

  virtual Answer<std::vector<std::uint32_t>> subnets() = 0;
  virtual Answer<DhcpSubnet> subnet(std::uint32_t address) = 0;
  virtual Answer<std::vector<DhcpSuperscope>> superscopes() = 0;
  virtual Answer<std::vector<DhcpUse>> uses() = 0;
  // Nothing for a subnet without a failover relationship.
  virtual Answer<std::optional<DhcpFailover>> failover(std::uint32_t subnet) = 0;
  virtual Answer<std::uint32_t> reservations(std::uint32_t subnet) = 0;
};

// The rows of the topic dhcp_scopes, at most kMaxFactRows; none without a DHCP server. The error is
// the server's code for refusing the list of subnets.
[[nodiscard]] std::expected<FactTable, std::uint32_t> dhcp_scope_rows(DhcpServer& server);

// Reads an enumeration of the server to its end: `next` reads from `resume` on, advances it, and
// returns the number of items. The result is Windows' code; an enumeration that doesn't advance or
// end is aborted with ERROR_INVALID_DATA.
std::uint32_t read_all_pages(
    const std::function<std::uint32_t(std::uint32_t& resume, std::uint32_t& read)>& next);

// "10.0.0.0/24"; a mask with gaps is in hexadecimal, as windows_exporter has it.
std::string dhcp_scope_text(std::uint32_t address, std::uint32_t mask);

}  // namespace winperf
