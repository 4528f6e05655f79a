#include "collectors/diagnosis/port_owner.h"

#include <winsock2.h>
// After winsock2.h:
#include <iphlpapi.h>
#include <tlhelp32.h>
#include <ws2tcpip.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <cwchar>
#include <string_view>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"

// Source: Learn, GetExtendedTcpTable, CreateToolhelp32Snapshot. Both show all processes to every
// account. Opening a process would take rights that a service lacks.
namespace winperf {
namespace {

constexpr DWORD kMaxTableBytes = 16 * 1024 * 1024;
constexpr DWORD kSpareBytes = 16 * 1024;  // the table may grow between the two calls
constexpr std::uint32_t kSystemProcess = 4;

// Empty if unavailable, or if the table has grown by more than the spare bytes.
std::vector<std::byte> listening_table(ULONG family) {
  const auto read = [family](void* table, DWORD& bytes) {
    return GetExtendedTcpTable(table, &bytes, FALSE, family, TCP_TABLE_OWNER_PID_LISTENER, 0);
  };
  DWORD bytes = 0;
  if (read(nullptr, bytes) != ERROR_INSUFFICIENT_BUFFER || bytes > kMaxTableBytes) return {};
  bytes += kSpareBytes;
  std::vector<std::byte> table(bytes);
  if (read(table.data(), bytes) != NO_ERROR) return {};
  return table;
}

Listener to_listener(const MIB_TCPROW_OWNER_PID& row) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(&row.dwLocalAddr);
  return {.address = to_net_address({bytes, sizeof(row.dwLocalAddr)}),
          .process_id = row.dwOwningPid};
}

Listener to_listener(const MIB_TCP6ROW_OWNER_PID& row) {
  return {.address = to_net_address(row.ucLocalAddr), .process_id = row.dwOwningPid};
}

// A table is a count, then rows.
template <class Table, class Row>
void add_listeners(ULONG family, int port, std::vector<Listener>& listeners) {
  const std::vector<std::byte> bytes = listening_table(family);
  constexpr std::size_t kHeader = offsetof(Table, table);
  DWORD count = 0;
  if (bytes.size() < kHeader) return;
  std::memcpy(&count, bytes.data(), sizeof(count));
  const std::size_t rows = std::min<std::size_t>(count, (bytes.size() - kHeader) / sizeof(Row));
  for (std::size_t i = 0; i < rows; ++i) {
    Row row;
    std::memcpy(&row, bytes.data() + kHeader + i * sizeof(Row), sizeof(row));
    // The port is in the lower half, in network byte order.
    if (ntohs(static_cast<u_short>(row.dwLocalPort)) == port) listeners.push_back(to_listener(row));
  }
}

}  // namespace

std::vector<Listener> listeners_on(int port) {
  std::vector<Listener> listeners;
  add_listeners<MIB_TCPTABLE_OWNER_PID, MIB_TCPROW_OWNER_PID>(AF_INET, port, listeners);
  add_listeners<MIB_TCP6TABLE_OWNER_PID, MIB_TCP6ROW_OWNER_PID>(AF_INET6, port, listeners);
  return listeners;
}

std::string process_name(std::uint32_t process_id) {
  const UniqueFileHandle snapshot(CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0));
  if (!snapshot) return {};
  PROCESSENTRY32W entry{};
  entry.dwSize = sizeof(entry);
  for (BOOL more = Process32FirstW(snapshot.get(), &entry); more;
       more = Process32NextW(snapshot.get(), &entry)) {
    if (entry.th32ProcessID != process_id) continue;
    return to_utf8(std::wstring_view(entry.szExeFile, wcsnlen(entry.szExeFile, MAX_PATH)));
  }
  return {};
}

std::string process_hint(std::uint32_t process_id) {
  if (process_id != kSystemProcess) return {};
  return ": Windows' HTTP.sys, for IIS, WinRM or another service; \"netsh http show "
         "servicestate\" shows which one";
}

}  // namespace winperf
