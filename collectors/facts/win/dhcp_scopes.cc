#include "collectors/facts/dhcp_scopes.h"

#include <windows.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "collectors/base/win/unique_handle.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/dhcp_api.h"
#include "collectors/facts/win/returned_buffer.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

constexpr const char* kDhcpScopes = "dhcp_scopes";
constexpr dhcp::Server kThisMachine = nullptr;
constexpr std::uint32_t kEverything = 0xFFFFFFFF;  // in one page

bool find_all(HMODULE library, dhcp::Functions& functions) {
  find_function(library, "DhcpV4FailoverGetScopeStatistics", functions.get_failover);
  return find_function(library, "DhcpEnumSubnets", functions.enum_subnets) &&
         find_function(library, "DhcpGetSubnetInfo", functions.get_subnet_info) &&
         find_function(library, "DhcpGetSuperScopeInfoV4", functions.get_superscopes) &&
         find_function(library, "DhcpGetMibInfoV5", functions.get_mib_info) &&
         find_function(library, "DhcpEnumSubnetElementsV5", functions.enum_elements) &&
         find_function(library, "DhcpRpcFreeMemory", functions.free_memory);
}

// The elements by an answer's count and pointer, if the count is plausible.
template <class Element>
std::span<const Element> elements_of(const Element* elements, std::uint32_t count) {
  if (elements == nullptr) return {};
  return {elements, std::min<std::size_t>(count, kMaxFactRows)};
}

class LocalDhcpServer final : public DhcpServer {
 public:
  explicit LocalDhcpServer(const dhcp::Functions& functions) : functions_(functions) {}

  Answer<std::vector<std::uint32_t>> subnets() override;
  Answer<DhcpSubnet> subnet(std::uint32_t address) override;
  Answer<std::vector<DhcpSuperscope>> superscopes() override;
  Answer<std::vector<DhcpUse>> uses() override;
  Answer<std::optional<DhcpFailover>> failover(std::uint32_t subnet) override;
  Answer<std::uint32_t> reservations(std::uint32_t subnet) override;

 private:
  struct FreeLater {
    decltype(dhcp::Functions::free_memory) free_memory;
    void operator()(void* block) const { free_memory(block); }
  };
  template <class Block>
  using Owned = std::unique_ptr<Block, FreeLater>;

  template <class Block>
  Owned<Block> own(Block* block) const {
    return Owned<Block>(block, FreeLater{functions_.free_memory});
  }

  // The block that `call` returns.
  template <class Block, class Call>
  Answer<Owned<Block>> ask(Call call) const {
    Block* block = nullptr;
    const std::uint32_t code = call(&block);
    Owned<Block> owned = own(block);
    if (code != ERROR_SUCCESS) return std::unexpected(code);
    if (block == nullptr) return std::unexpected<std::uint32_t>(ERROR_INVALID_DATA);
    return owned;
  }

  // Passes each page of an enumeration to `use`.
  template <class Element, class Call, class Use>
  std::uint32_t enumerate(Call call, Use use) const {
    return read_all_pages([&](std::uint32_t& resume, std::uint32_t& read) {
      dhcp::Array<Element>* page = nullptr;
      const std::uint32_t code = call(&resume, &page, &read);
      const auto owned = own(page);
      if (page == nullptr) return code;
      const auto elements = own(page->elements);
      if (code == ERROR_SUCCESS || code == ERROR_MORE_DATA) use(*page, read);
      return code;
    });
  }

  const dhcp::Functions& functions_;
};

DhcpServer::Answer<std::vector<std::uint32_t>> LocalDhcpServer::subnets() {
  std::vector<std::uint32_t> addresses;
  const std::uint32_t code = enumerate<dhcp::Address>(
      [this](auto* resume, auto** page, auto* read) {
        std::uint32_t left = 0;
        return functions_.enum_subnets(kThisMachine, resume, kEverything, page, read, &left);
      },
      [&addresses](const auto& page, std::uint32_t) {
        const auto some = elements_of(page.elements, page.count);
        addresses.insert(addresses.end(), some.begin(), some.end());
      });
  if (code != ERROR_SUCCESS) return std::unexpected(code);
  return addresses;
}

DhcpServer::Answer<DhcpSubnet> LocalDhcpServer::subnet(std::uint32_t address) {
  const auto info = ask<dhcp::SubnetInfo>(
      [&](auto** block) { return functions_.get_subnet_info(kThisMachine, address, block); });
  if (!info) return std::unexpected(info.error());
  return DhcpSubnet{.mask = (*info)->mask, .state = (*info)->state, .name = text_at((*info)->name)};
}

DhcpServer::Answer<std::vector<DhcpSuperscope>> LocalDhcpServer::superscopes() {
  const auto table = ask<dhcp::SuperscopeTable>(
      [this](auto** block) { return functions_.get_superscopes(kThisMachine, block); });
  if (!table) return std::unexpected(table.error());
  std::vector<DhcpSuperscope> entries;
  for (const dhcp::Superscope& entry : elements_of((*table)->elements, (*table)->count))
    entries.push_back(
        {.subnet = entry.subnet, .number = entry.number, .name = text_at(entry.name)});
  return entries;
}

DhcpServer::Answer<std::vector<DhcpUse>> LocalDhcpServer::uses() {
  const auto info = ask<dhcp::MibInfo>(
      [this](auto** block) { return functions_.get_mib_info(kThisMachine, block); });
  if (!info) return std::unexpected(info.error());
  std::vector<DhcpUse> uses;
  for (const dhcp::ScopeUse& scope : elements_of((*info)->scopes, (*info)->count))
    uses.push_back({.subnet = scope.subnet,
                    .free = scope.free,
                    .in_use = scope.in_use,
                    .pending_offers = scope.pending_offers});
  return uses;
}

DhcpServer::Answer<std::optional<DhcpFailover>> LocalDhcpServer::failover(std::uint32_t subnet) {
  if (functions_.get_failover == nullptr) return std::nullopt;
  const auto found = ask<dhcp::FailoverStatistics>(
      [&](auto** block) { return functions_.get_failover(kThisMachine, subnet, block); });
  if (!found && found.error() == dhcp::kScopeNotInRelationship) return std::nullopt;
  if (!found) return std::unexpected(found.error());
  const dhcp::FailoverStatistics& statistics = **found;
  return DhcpFailover{.free = statistics.free,
                      .in_use = statistics.in_use,
                      .free_here = statistics.this_free,
                      .in_use_here = statistics.this_in_use,
                      .free_on_partner = statistics.partner_free,
                      .in_use_on_partner = statistics.partner_in_use};
}

DhcpServer::Answer<std::uint32_t> LocalDhcpServer::reservations(std::uint32_t subnet) {
  std::uint32_t count = 0;
  const std::uint32_t code = enumerate<void>(
      [&](auto* resume, auto** page, auto* read) {
        std::uint32_t left = 0;
        return functions_.enum_elements(kThisMachine, subnet, dhcp::kReservedIps, resume,
                                        kEverything, page, read, &left);
      },
      [&count](const auto&, std::uint32_t read) { count += read; });
  if (code != ERROR_SUCCESS) return std::unexpected(code);
  return count;
}

}  // namespace

FactAnswer read_dhcp_scopes() {
  const UniqueLibrary library = load_system_library(L"dhcpsapi.dll");
  // Without a DHCP server there are no scopes, which isn't a failure.
  if (!library) return FactTable{};
  dhcp::Functions functions;
  if (!find_all(library.get(), functions)) return os_failure(ERROR_PROC_NOT_FOUND, kDhcpScopes);
  LocalDhcpServer server(functions);
  auto rows = dhcp_scope_rows(server);
  if (!rows) return os_failure(rows.error(), kDhcpScopes);
  return *std::move(rows);
}

}  // namespace winperf
