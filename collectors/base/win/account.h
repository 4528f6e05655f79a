// Names of accounts, for messages, and who this process is. Thread rule: any thread.
#pragma once

#include <windows.h>

#include <string>

namespace winperf {

// As in "S-1-5-32-544"; empty if it is none.
std::string sid_text(PSID sid);
// Such as "BUILTIN\Users", or "everyone"; its SID if Windows doesn't know the name.
std::string account_text(PSID sid);
std::string account_text(const std::string& sid);

// The account that runs this process; empty if Windows doesn't say.
std::string own_sid();

}  // namespace winperf
