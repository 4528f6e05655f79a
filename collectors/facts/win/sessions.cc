#include "collectors/facts/win/sessions.h"

#include <windows.h>

// After windows.h.
#include <wtsapi32.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cwchar>
#include <span>
#include <string>

#include "collectors/base/ascii.h"
#include "collectors/base/hex.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/machine_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/returned_buffer.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

// What LSA returns.
template <class Type>
struct LsaTraits : NullableHandle<Type*> {
  static void close(Type* memory) { LsaFreeReturnBuffer(memory); }
};

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
  row.text("id", "0x" + short_hex(static_cast<ULONG>(session.LogonId.HighPart)) + ":0x" +
                     short_hex(session.LogonId.LowPart));
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
    if (code == ERROR_NO_SUCH_LOGON_SESSION) continue;  // it ended since
    if (code != ERROR_SUCCESS)
      refusals.add(code);
    else if (!session || !add_logon(*session.get(), table))
      refusals.add(ERROR_INVALID_DATA);
  }
  refusals.report(table);
  return table;
}

namespace {

constexpr const char* kSessions = "sessions";
constexpr DWORD kSessionInfoLevel1 = 2;  // WTS_TYPE_CLASS

// WTSEnumerateSessionsExW and WTSFreeMemoryExW, which are not in every SDK.
using Enumerate = BOOL(WINAPI*)(HANDLE server, DWORD* level, DWORD filter, SessionInfo** sessions,
                                DWORD* count);
using FreeSessions = BOOL(WINAPI*)(DWORD type, void* memory, ULONG count);

struct TextTraits : NullableHandle<wchar_t*> {
  static void close(wchar_t* text) { WTSFreeMemory(text); }
};

// Empty at the machine's own console. The result is Windows' code.
DWORD read_client(DWORD session_id, std::wstring& client) {
  UniqueHandle<TextTraits> name;
  DWORD bytes = 0;
  if (!WTSQuerySessionInformationW(WTS_CURRENT_SERVER_HANDLE, session_id, WTSClientName, name.put(),
                                   &bytes))
    return GetLastError();
  if (name) client.assign(name.get(), wcsnlen(name.get(), bytes / sizeof(wchar_t)));
  return ERROR_SUCCESS;
}

FactTable table_of(std::span<const SessionInfo> sessions) {
  FactTable table;
  Refusals refusals("clients of sessions");
  for (const SessionInfo& session : sessions) {
    if (!is_shown(session)) continue;
    std::wstring client;
    const DWORD code = read_client(session.session_id, client);
    if (code != ERROR_SUCCESS && code != ERROR_FILE_NOT_FOUND) refusals.add(code);
    add_session(session, client, table);
  }
  refusals.report(table);
  return table;
}

}  // namespace

bool is_shown(const SessionInfo& session) {
  return !equal_names(text_at(session.session_name), "Services");
}

void add_session(const SessionInfo& session, std::wstring_view client, FactTable& table) {
  FactRow& row = table.add();
  put_known(row, "session_name", session_label(text_at(session.session_name)));
  row.number("id", session.session_id);
  put_known(row, "user", account_label(text_at(session.domain), text_at(session.user)));
  put_known(row, "host", text_at(session.host));
  put_known(row, "client", to_utf8(client));
  put_known(row, "state", session_state_name(session.state));
}

FactAnswer read_sessions() {
  const UniqueLibrary library = load_system_library(L"wtsapi32.dll");
  if (!library) return os_failure(GetLastError(), kSessions);
  const auto enumerate = function_in<Enumerate>(library.get(), "WTSEnumerateSessionsExW");
  const auto free_sessions = function_in<FreeSessions>(library.get(), "WTSFreeMemoryExW");
  if (enumerate == nullptr || free_sessions == nullptr)
    return os_failure(ERROR_PROC_NOT_FOUND, kSessions);
  DWORD level = 1;
  DWORD count = 0;
  SessionInfo* sessions = nullptr;
  SetLastError(ERROR_CALL_NOT_IMPLEMENTED);  // Wine 8 only has a stub, which sets no error
  if (!enumerate(WTS_CURRENT_SERVER_HANDLE, &level, 0, &sessions, &count))
    return os_failure(GetLastError(), kSessions);
  if (sessions == nullptr) return FactTable{};
  FactTable table = table_of({sessions, std::min<std::size_t>(count, kMaxFactRows)});
  free_sessions(kSessionInfoLevel1, sessions, count);
  return table;
}

}  // namespace winperf
