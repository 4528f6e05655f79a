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

constexpr const char* kWhere = "connections";
constexpr DWORD kFirstBytes = 64U << 10;
constexpr DWORD kMaxBytes = 64U << 20;  // a million connections
constexpr int kMostTries = 8;

// MIB_TCP_STATE, from 1.
constexpr std::array<std::string_view, 12> kStates{
    "CLOSED",    "LISTENING",  "SYN_SENT", "SYN_RECEIVED", "ESTABLISHED", "FIN_WAIT1",
    "FIN_WAIT2", "CLOSE_WAIT", "CLOSING",  "LAST_ACK",     "TIME_WAIT",   "DELETE_TCB"};
using Counts = std::array<std::uint64_t, kStates.size()>;

// How many bytes the answer has isn't known, and the list grows while it is being asked for.
// `function` is GetTcpTable or its twin for IPv6. Those that name the owners, too, take longer.
template <class Table>
[[nodiscard]] std::expected<ReturnedBuffer, Error> query_table(ULONG(WINAPI* function)(Table*,
                                                                                       ULONG*,
                                                                                       BOOL)) {
  ULONG size = kFirstBytes;
  ULONG code = ERROR_INSUFFICIENT_BUFFER;
  for (int i = 0; i < kMostTries && size <= kMaxBytes; ++i) {
    ReturnedBuffer buffer(size);
    ULONG needed = size;
    code = function(static_cast<Table*>(buffer.data()), &needed, FALSE);
    if (code == NO_ERROR) return buffer;
    if (code != ERROR_INSUFFICIENT_BUFFER) break;
    size = std::max(needed, size) + size / 2;
  }
  return os_failure(code, kWhere);
}

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

template <class Table>
void add_family(FactTable& table, std::string_view name,
                ULONG(WINAPI* function)(Table*, ULONG*, BOOL)) {
  auto buffer = query_table(function);
  if (!buffer) {
    // A protocol that isn't installed has no connections and no problem.
    if (buffer.error().code == ErrorCode::kUnsupported) return;
    table.problems.push_back(
        problem_text("The TCP connections of " + std::string(name), buffer.error().os_code));
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
