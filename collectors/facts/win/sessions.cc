#include <windows.h>

// After windows.h.
#include <wtsapi32.h>

#include <algorithm>
#include <bit>
#include <cwchar>
#include <span>
#include <string>
#include <string_view>

#include "collectors/base/ascii.h"
#include "collectors/base/win/unique_handle.h"
#include "collectors/base/win/wide.h"
#include "collectors/facts/label_texts.h"
#include "collectors/facts/refusals.h"
#include "collectors/facts/win/session_row.h"
#include "collectors/facts/win/topics.h"

namespace winperf {
namespace {

constexpr const char* kWhere = "sessions";
constexpr std::size_t kMaxNameChars = 1024;  // names of users and machines are shorter
constexpr DWORD kSessionInfoLevel1 = 2;      // WTS_TYPE_CLASS

// WTSEnumerateSessionsExW and WTSFreeMemoryExW, which are not in every SDK.
using Enumerate = BOOL(WINAPI*)(HANDLE server, DWORD* level, DWORD filter, SessionInfo** sessions,
                                DWORD* count);
using FreeSessions = BOOL(WINAPI*)(DWORD type, void* memory, ULONG count);

struct LibraryTraits {
  using Handle = HMODULE;
  static HMODULE invalid() { return nullptr; }
  static void close(HMODULE library) { FreeLibrary(library); }
};

struct TextTraits {
  using Handle = wchar_t*;
  static wchar_t* invalid() { return nullptr; }
  static void close(wchar_t* text) { WTSFreeMemory(text); }
};

std::string text_of(const wchar_t* text) {
  if (text == nullptr) return {};
  return to_utf8({text, wcsnlen(text, kMaxNameChars)});
}

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
  return !equal_names(text_of(session.session_name), "Services");
}

void add_session(const SessionInfo& session, std::wstring_view client, FactTable& table) {
  FactRow& row = table.add();
  put_known(row, "session_name", session_label(text_of(session.session_name)));
  row.number("id", session.session_id);
  put_known(row, "user", account_label(text_of(session.domain), text_of(session.user)));
  put_known(row, "host", text_of(session.host));
  put_known(row, "client", to_utf8(client));
  put_known(row, "state", session_state_name(session.state));
}

FactAnswer read_sessions() {
  const UniqueHandle<LibraryTraits> library(
      LoadLibraryExW(L"wtsapi32.dll", nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32));
  if (!library) return os_failure(GetLastError(), kWhere);
  const auto enumerate =
      std::bit_cast<Enumerate>(GetProcAddress(library.get(), "WTSEnumerateSessionsExW"));
  const auto free_sessions =
      std::bit_cast<FreeSessions>(GetProcAddress(library.get(), "WTSFreeMemoryExW"));
  if (enumerate == nullptr || free_sessions == nullptr)
    return os_failure(ERROR_PROC_NOT_FOUND, kWhere);
  DWORD level = 1;
  DWORD count = 0;
  SessionInfo* sessions = nullptr;
  SetLastError(ERROR_CALL_NOT_IMPLEMENTED);  // Wine 8 has the function only in name, and sets none
  if (!enumerate(WTS_CURRENT_SERVER_HANDLE, &level, 0, &sessions, &count))
    return os_failure(GetLastError(), kWhere);
  if (sessions == nullptr) return FactTable{};
  FactTable table = table_of({sessions, std::min<std::size_t>(count, kMaxFactRows)});
  free_sessions(kSessionInfoLevel1, sessions, count);
  return table;
}

}  // namespace winperf
