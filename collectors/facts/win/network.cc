// Before windows.h.
#include <winsock2.h>
#include <ws2tcpip.h>

#include <iphlpapi.h>
#include <windows.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/returned_buffer.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

constexpr const char* kAdapters = "adapters";
constexpr ULONG kFirstAdapterBytes = 16U << 10;
constexpr ULONG kMaxAdapterBytes = 16U << 20;
constexpr std::size_t kMostAdapters = 10'000;
constexpr std::size_t kMostAddresses = 1'000;  // of one adapter

// Empty if there is no adapter.
[[nodiscard]] std::expected<ReturnedBuffer, Error> query_adapters() {
  constexpr ULONG kFlags = GAA_FLAG_SKIP_MULTICAST | GAA_FLAG_SKIP_DNS_SERVER;
  auto filled = fill_returned(kFirstAdapterBytes, kMaxAdapterBytes, ERROR_BUFFER_OVERFLOW,
                              [](ReturnedBuffer& buffer, ULONG& size) {
                                return GetAdaptersAddresses(
                                    AF_UNSPEC, kFlags, nullptr,
                                    static_cast<IP_ADAPTER_ADDRESSES*>(buffer.data()), &size);
                              });
  if (filled) return *std::move(filled);
  if (filled.error() == ERROR_NO_DATA) return ReturnedBuffer(0);
  return os_failure(filled.error(), kAdapters);
}

// Empty if remote machines can't use the address.
template <class Address>
std::string global_address(int family, const Address& address) {
  if (!is_global_unicast({reinterpret_cast<const std::uint8_t*>(&address), sizeof address}))
    return {};
  std::array<wchar_t, INET6_ADDRSTRLEN> text{};
  if (InetNtopW(family, &address, text.data(), text.size()) == nullptr) return {};
  return (family == AF_INET ? "ipv4 " : "ipv6 ") + to_utf8(text.data());
}

std::string global_address(const ReturnedBuffer& buffer, const SOCKET_ADDRESS& address) {
  const void* const where = address.lpSockaddr;
  const auto* const base = buffer.at<SOCKADDR>(where);
  if (base == nullptr || address.iSockaddrLength < 0) return {};
  const auto length = static_cast<std::size_t>(address.iSockaddrLength);
  const auto* const v4 = base->sa_family == AF_INET && length >= sizeof(SOCKADDR_IN)
                             ? buffer.at<SOCKADDR_IN>(where)
                             : nullptr;
  if (v4 != nullptr) return global_address(AF_INET, v4->sin_addr);
  const auto* const v6 = base->sa_family == AF_INET6 && length >= sizeof(SOCKADDR_IN6)
                             ? buffer.at<SOCKADDR_IN6>(where)
                             : nullptr;
  return v6 != nullptr ? global_address(AF_INET6, v6->sin6_addr) : std::string();
}

// Of a list of unicast or anycast addresses.
template <class Address>
void add_addresses(const ReturnedBuffer& buffer, const Address* first, std::string& list) {
  const auto* address = buffer.at<Address>(first);
  for (std::size_t i = 0; address != nullptr && i < kMostAddresses; ++i) {
    const std::string text = global_address(buffer, address->Address);
    if (!text.empty() && !list.empty()) list += ';';
    list += text;
    address = buffer.at<Address>(address->Next);
  }
}

// Bits per second; -1 is "unknown".
void add_speed(FactRow& row, std::string_view field, ULONG64 bits) {
  constexpr double kBitsPerByte = 8;
  if (bits != std::numeric_limits<ULONG64>::max())
    row.number(field, static_cast<double>(bits) / kBitsPerByte);
}

void add_numbers(FactRow& row, const IP_ADAPTER_ADDRESSES& adapter) {
  put_known(row, "status", adapter_status_name(static_cast<std::uint32_t>(adapter.OperStatus)));
  add_speed(row, "speed", adapter.ReceiveLinkSpeed);
  add_speed(row, "transmit_speed", adapter.TransmitLinkSpeed);
  // The loopback adapter has the largest number.
  if (adapter.Mtu != 0 && adapter.Mtu != std::numeric_limits<ULONG>::max())
    row.number("mtu", adapter.Mtu);
}

void add_adapter(FactTable& table, const ReturnedBuffer& buffer,
                 const IP_ADAPTER_ADDRESSES& adapter) {
  const auto description = buffer.text(adapter.Description);
  if (!description || description->empty()) {
    table.problems.push_back("The adapter with the index " + std::to_string(adapter.IfIndex) +
                             " has no description");
    return;
  }
  FactRow& row = table.add().text("nic", nic_name(to_utf8(*description)));
  put_known(row, "friendly_name", to_utf8(buffer.text(adapter.FriendlyName).value_or(L"")));
  const std::size_t length =
      std::min<std::size_t>(adapter.PhysicalAddressLength, std::size(adapter.PhysicalAddress));
  put_known(row, "mac", mac_text({adapter.PhysicalAddress, length}));
  add_numbers(row, adapter);
  // An adapter that is down keeps its addresses, but isn't reachable by them.
  if (adapter.OperStatus != IfOperStatusUp) return;
  std::string addresses;
  add_addresses(buffer, adapter.FirstUnicastAddress, addresses);
  add_addresses(buffer, adapter.FirstAnycastAddress, addresses);
  put_known(row, "addresses", addresses);
}

}  // namespace

FactAnswer read_adapters() {
  auto buffer = query_adapters();
  if (!buffer) return std::unexpected(buffer.error());
  FactTable table;
  const auto* adapter = buffer->at<IP_ADAPTER_ADDRESSES>(buffer->data());
  for (std::size_t i = 0; adapter != nullptr && i < kMostAdapters; ++i) {
    add_adapter(table, *buffer, *adapter);
    adapter = buffer->at<IP_ADAPTER_ADDRESSES>(adapter->Next);
  }
  return table;
}

namespace {

constexpr DWORD kFirstTableBytes = 64U << 10;
constexpr DWORD kMaxTableBytes = 64U << 20;  // a million connections

// MIB_TCP_STATE, from 1.
constexpr std::array<std::string_view, 12> kStates{
    "CLOSED",    "LISTENING",  "SYN_SENT", "SYN_RECEIVED", "ESTABLISHED", "FIN_WAIT1",
    "FIN_WAIT2", "CLOSE_WAIT", "CLOSING",  "LAST_ACK",     "TIME_WAIT",   "DELETE_TCB"};
using Counts = std::array<std::uint64_t, kStates.size()>;

DWORD state_of(const MIB_TCPROW& row) { return row.dwState; }
int state_of(const MIB_TCP6ROW& row) { return row.State; }

template <class Table>
Counts count_states(ReturnedBuffer& buffer) {
  Counts counts{};
  const auto* const table = buffer.at<Table>(buffer.data());
  if (table == nullptr) return counts;
  const std::size_t most = (buffer.bytes() - offsetof(Table, table)) / sizeof(table->table[0]);
  const std::size_t count = std::min<std::size_t>(table->dwNumEntries, most);
  for (std::size_t i = 0; i < count; ++i) {
    const auto state = static_cast<std::size_t>(state_of(table->table[i]));
    if (state >= 1 && state <= kStates.size()) ++counts[state - 1];
  }
  return counts;
}

// `function` is GetTcpTable or its IPv6 counterpart. The variants with owners take longer.
template <class Table>
void add_family(FactTable& table, std::string_view name,
                ULONG(WINAPI* function)(Table*, ULONG*, BOOL)) {
  auto buffer = fill_returned(kFirstTableBytes, kMaxTableBytes, ERROR_INSUFFICIENT_BUFFER,
                              [function](ReturnedBuffer& answer, ULONG& size) {
                                return function(static_cast<Table*>(answer.data()), &size, FALSE);
                              });
  if (!buffer) {
    const Error error = os_failure(buffer.error(), "connections").error();
    // A protocol that isn't installed has no connections and no problem.
    if (error.code == ErrorCode::kUnsupported) return;
    table.problems.push_back(
        problem_text("The TCP connections of " + std::string(name), error.os_code));
    return;
  }
  const Counts counts = count_states<Table>(*buffer);
  for (std::size_t i = 0; i < counts.size(); ++i)
    table.add()
        .text("af", name)
        .text("state", kStates[i])
        .number("count", static_cast<double>(counts[i]));
}

}  // namespace

FactAnswer read_connections() {
  FactTable table;
  add_family(table, "ipv4", GetTcpTable);
  add_family(table, "ipv6", GetTcp6Table);
  return table;
}

}  // namespace winperf
