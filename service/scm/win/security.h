// Accounts and their rights: the SIDs of services and accounts, and membership in the group that
// may read performance counters. Also the failures of Windows' functions as SystemError. Thread
// rule: any thread. Source: Learn, "Service security identifiers", NetLocalGroupAddMembers.
#pragma once

#include <windows.h>

#include <cstddef>
#include <string>
#include <vector>

#include "service/scm/service_manager.h"

namespace winperf {

using Sid = std::vector<std::byte>;

// With Windows' text for the code.
SystemError system_error(DWORD code);
std::unexpected<SystemError> system_failure(DWORD code);
// The failure of the previous call.
std::unexpected<SystemError> last_failure();

// S-1-5-80-...: derived from the service's name; the service need not exist. This is also the SID
// of its virtual account.
[[nodiscard]] ServiceResult<std::string> service_sid(const std::string& service_name);
[[nodiscard]] ServiceResult<Sid> sid_of(const std::string& sid_text);
[[nodiscard]] ServiceResult<Sid> sid_of_account(const std::string& account);

// Adds the account to Performance Monitor Users, or removes it. The group is found by its SID,
// because its name depends on the language of Windows; the name is returned. It is no error
// if the account is a member already, or isn't one.
[[nodiscard]] ServiceResult<std::string> join_counter_readers(Sid account);
[[nodiscard]] ServiceResult<std::string> leave_counter_readers(Sid account);

}  // namespace winperf
