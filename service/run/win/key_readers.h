// Who may read a file, by its access control list. Thread rule: any thread.
#pragma once

#include <windows.h>

#include <string>
#include <vector>

namespace winperf {

// Names of accounts that the list lets read. Left out are the owner, administrators, the system and
// its installer, the account that runs this program, and the service that is called
// winperf_exporter. Deny entries are ignored, so the result may include an account without access.
// `list` may be null: then everyone reads.
std::vector<std::string> readers_in(const ACL* list, PSID owner);

}  // namespace winperf
