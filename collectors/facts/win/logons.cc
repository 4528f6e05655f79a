#include <windows.h>

// After windows.h.
#include <ntsecapi.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/label_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/logon_row.h"
#include "collectors/facts/win/topics.h"
#include "collectors/facts/windows_times.h"

namespace winperf {
namespace {

// What LSA returns.
template <class Type>
struct LsaTraits {
  using Handle = Type*;
  static Type* invalid() { return nullptr; }
  static void close(Type* memory) { LsaFreeReturnBuffer(memory); }
};

// Without zeros before it.
std::string hex_of(ULONG number) {
  constexpr int kBase = 16;
  std::array<char, 2 * sizeof number> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, kBase);
  return "0x" + std::string(digits.data(), end.ptr);
}

std::string text_of(const LSA_UNICODE_STRING& text) {
  if (text.Buffer == nullptr) return {};
  return to_utf8({text.Buffer, text.Length / sizeof(wchar_t)});
}

}  // namespace

bool add_logon(const SECURITY_LOGON_SESSION_DATA& session, FactTable& table) {
  constexpr std::size_t kRead =
      offsetof(SECURITY_LOGON_SESSION_DATA, LogonTime) + sizeof(session.LogonTime);
  if (session.Size < kRead) return false;
  FactRow& row = table.add();
  row.text("id", hex_of(static_cast<ULONG>(session.LogonId.HighPart)) + ':' +
                     hex_of(session.LogonId.LowPart));
  put_known(row, "user", text_of(session.UserName));
  put_known(row, "domain", text_of(session.LogonDomain));
  put_known(row, "type", logon_type_name(session.LogonType));
  put_known(row, "logon_time",
            unix_seconds(static_cast<std::uint64_t>(session.LogonTime.QuadPart)));
  return true;
}

FactAnswer read_logons() {
  ULONG count = 0;
  UniqueHandle<LsaTraits<LUID>> ids;
  const NTSTATUS status = LsaEnumerateLogonSessions(&count, ids.put());
  if (status < 0) return os_failure(LsaNtStatusToWinError(status), "logons");
  if (!ids) count = 0;
  FactTable table;
  Refusals refusals("logon sessions");
  for (LUID& id : std::span(ids.get(), std::min<std::size_t>(count, kMaxFactRows))) {
    UniqueHandle<LsaTraits<SECURITY_LOGON_SESSION_DATA>> session;
    const DWORD code = LsaNtStatusToWinError(LsaGetLogonSessionData(&id, session.put()));
    if (code == ERROR_NO_SUCH_LOGON_SESSION) continue;  // it has ended meanwhile
    if (code != ERROR_SUCCESS)
      refusals.add(code);
    else if (!session || !add_logon(*session.get(), table))
      refusals.add(ERROR_INVALID_DATA);
  }
  refusals.report(table);
  return table;
}

}  // namespace winperf
