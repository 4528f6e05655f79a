#include "collectors/facts/dhcp_scopes.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "collectors/base/hex.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/refusals.h"

namespace winperf {
namespace {

// Windows' codes. Source: winerror.h.
constexpr std::uint32_t kSuccess = 0;
constexpr std::uint32_t kInvalidData = 13;
constexpr std::uint32_t kMoreData = 234;
constexpr std::uint32_t kNoMoreItems = 259;
constexpr std::uint32_t kServerUnavailable = 1722;      // RPC_S_SERVER_UNAVAILABLE
constexpr std::uint32_t kEndpointNotRegistered = 1753;  // EPT_S_NOT_REGISTERED
constexpr std::size_t kMaxPages = 100'000;

template <class Entry>
using BySubnet = std::map<std::uint32_t, Entry>;

// The server's answer by subnet; a refusal is one problem for all of them.
template <class Entry>
BySubnet<Entry> by_subnet(DhcpServer::Answer<std::vector<Entry>> answer, std::string_view what,
                          FactTable& table) {
  BySubnet<Entry> entries;
  if (!answer) {
    table.problems.push_back(problem_text(what, answer.error()));
    return entries;
  }
  for (Entry& entry : *answer) entries.insert_or_assign(entry.subnet, std::move(entry));
  return entries;
}

void put_failover(const DhcpFailover& failover, FactRow& row) {
  row.number("free", failover.free)
      .number("in_use", failover.in_use)
      .number("free_here", failover.free_here)
      .number("in_use_here", failover.in_use_here)
      .number("free_on_partner", failover.free_on_partner)
      .number("in_use_on_partner", failover.in_use_on_partner);
}

class ScopeRows {
 public:
  explicit ScopeRows(DhcpServer& server) : server_(server) {
    superscopes_ = by_subnet(server.superscopes(), "The superscopes", table_);
    uses_ = by_subnet(server.uses(), "The numbers of addresses", table_);
  }

  void add(std::uint32_t address) {
    const auto subnet = server_.subnet(address);
    if (!subnet) return no_scopes_.add(subnet.error());
    FactRow& row = table_.add();
    row.text("scope", dhcp_scope_text(address, subnet->mask));
    put_known(row, "name", subnet->name);
    put_known(row, "state", dhcp_scope_state_name(subnet->state));
    if (const auto found = superscopes_.find(address); found != superscopes_.end()) {
      put_known(row, "superscope", found->second.name);
      row.text("superscope_id", std::to_string(found->second.number));
    }
    put_addresses(address, row);
    if (const auto reservations = server_.reservations(address))
      row.number("reservations", *reservations);
    else
      no_reservations_.add(reservations.error());
  }

  FactTable table() {
    for (const Refusals* const refusals : {&no_scopes_, &no_failover_, &no_reservations_})
      refusals->report(table_);
    return std::move(table_);
  }

 private:
  // With a failover partner, this server counts only a part of the scope, so its counts are used
  // only if there is known to be no partner.
  void put_addresses(std::uint32_t address, FactRow& row) {
    const auto use = uses_.find(address);
    if (use != uses_.end()) row.number("pending_offers", use->second.pending_offers);
    const auto failover = server_.failover(address);
    if (!failover) return no_failover_.add(failover.error());
    if (*failover) return put_failover(**failover, row);
    if (use == uses_.end()) return;
    row.number("free", use->second.free).number("in_use", use->second.in_use);
  }

  DhcpServer& server_;
  FactTable table_;
  BySubnet<DhcpSuperscope> superscopes_;
  BySubnet<DhcpUse> uses_;
  Refusals no_scopes_{"DHCP scopes"};
  Refusals no_failover_{"failover statistics of DHCP scopes"};
  Refusals no_reservations_{"lists of reservations of DHCP scopes"};
};

}  // namespace

std::expected<FactTable, std::uint32_t> dhcp_scope_rows(DhcpServer& server) {
  const auto subnets = server.subnets();
  const bool is_absent = !subnets && (subnets.error() == kServerUnavailable ||
                                      subnets.error() == kEndpointNotRegistered);
  if (is_absent) return FactTable{};
  if (!subnets) return std::unexpected(subnets.error());
  if (subnets->empty()) return FactTable{};
  ScopeRows rows(server);
  const std::size_t count = std::min(subnets->size(), kMaxFactRows);
  for (std::size_t at = 0; at < count; ++at) rows.add((*subnets)[at]);
  return rows.table();
}

std::uint32_t read_all_pages(
    const std::function<std::uint32_t(std::uint32_t& resume, std::uint32_t& read)>& next) {
  std::uint32_t resume = 0;
  for (std::size_t page = 0; page < kMaxPages; ++page) {
    std::uint32_t read = 0;
    const std::uint32_t code = next(resume, read);
    if (code == kSuccess || code == kNoMoreItems) return kSuccess;
    if (code != kMoreData) return code;
    if (read == 0) return kInvalidData;
  }
  return kInvalidData;
}

std::string dhcp_scope_text(std::uint32_t address, std::uint32_t mask) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8)
    text += std::to_string((address >> shift) & 0xFFU) + (shift == 0 ? '/' : '.');
  const int length = std::countl_one(mask);
  return text + (length == std::popcount(mask) ? std::to_string(length) : hex(mask).substr(2));
}

}  // namespace winperf
