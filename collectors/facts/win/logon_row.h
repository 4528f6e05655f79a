// A row of what LSA tells of a logon session. Thread rule: any thread.
#pragma once

#include <windows.h>

// After windows.h.
#include <ntsecapi.h>

#include "collectors/facts/fact_table.h"

namespace winperf {

// The texts are as long as they say, as LSA promises; the structure may be shorter than this SDK's,
// and is refused if it ends before what is read of it.
bool add_logon(const SECURITY_LOGON_SESSION_DATA& session, FactTable& table);

}  // namespace winperf
