// Before windows.h.
#include <winsock2.h>
#include <ws2tcpip.h>

#include <iphlpapi.h>
#include <windows.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "collectors/facts/refusals.h"
#include "collectors/facts/win/returned_buffer.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

constexpr DWORD kFirstBytes = 64U << 10;
constexpr DWORD kMaxBytes = 64U << 20;  // a million connections

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

// `function` is GetTcpTable or its twin for IPv6. Those that name the owners, too, take longer.
template <class Table>
void add_family(FactTable& table, std::string_view name,
                ULONG(WINAPI* function)(Table*, ULONG*, BOOL)) {
  auto buffer = fill_returned(kFirstBytes, kMaxBytes, ERROR_INSUFFICIENT_BUFFER,
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
