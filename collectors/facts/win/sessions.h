// Rows of logon sessions (LSA) and of sessions of Remote Desktop Services. Thread rule: any thread.
#pragma once

#include <windows.h>

// After windows.h.
#include <ntsecapi.h>

#include <string_view>

#include "collectors/facts/fact_table.h"

namespace winperf {

// The texts have their stated lengths, as LSA promises; the structure may be shorter than this
// SDK's, and is refused if it lacks a field that is read.
bool add_logon(const SECURITY_LOGON_SESSION_DATA& session, FactTable& table);

// WTS_SESSION_INFO_1W, which not every SDK has. The texts may be null.
struct SessionInfo {
  DWORD environment_id{};
  DWORD state{};  // WTS_CONNECTSTATE_CLASS
  DWORD session_id{};
  const wchar_t* session_name{};
  const wchar_t* host{};  // the virtual machine that has the session; null: this machine
  const wchar_t* user{};
  const wchar_t* domain{};
  const wchar_t* farm{};
};
static_assert(sizeof(SessionInfo) == 56);

// Whether windows_exporter has a series for it: not for "Services".
bool is_shown(const SessionInfo& session);
// The client's name may be empty.
void add_session(const SessionInfo& session, std::wstring_view client, FactTable& table);

}  // namespace winperf
