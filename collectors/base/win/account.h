// Names of accounts, and who runs a process. Thread rule: any thread.
#pragma once

#include <windows.h>

#include <string>
#include <vector>

namespace winperf {

// Frees what Windows has made with LocalAlloc().
struct LocalFreed {
  void operator()(void* memory) const { LocalFree(memory); }
};

// As in "S-1-5-32-544"; empty if it is none.
std::string sid_text(PSID sid);
// "DOMAIN\account", or only the account if it has no domain; empty if unknown. May query a domain
// controller.
std::string account_name(PSID sid);
// The same for messages, such as "BUILTIN\Users", or "everyone"; its SID if Windows doesn't know
// the name.
std::string account_text(PSID sid);
std::string account_text(const std::string& sid);

// The SID of the account that runs a process; empty if unknown; GetLastError() has the reason.
std::vector<std::byte> user_of(HANDLE process);
// The SID of this process' account as text.
std::string own_sid();

}  // namespace winperf
