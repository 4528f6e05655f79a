// Accounts and their rights: the SID of a service, of an account, membership of the group that may
// read performance counters.
// Thread rule: any thread.
// Source: Learn, "Service security identifiers", NetLocalGroupAddMembers.
#pragma once

#include <windows.h>

#include <cstddef>
#include <string>
#include <vector>

#include "service/scm/service_manager.h"

namespace winperf {

using Sid = std::vector<std::byte>;

// What Windows says of the code.
SystemError system_error(DWORD code);
std::unexpected<SystemError> system_failure(DWORD code);
// Of the call before.
std::unexpected<SystemError> last_failure();

// S-1-5-80-...: that of the service's name, which need not exist. Also the SID of its virtual
// account.
ServiceResult<std::string> service_sid(const std::string& service_name);
ServiceResult<Sid> sid_of(const std::string& sid_text);
ServiceResult<Sid> sid_of_account(const std::string& account);

// Performance Monitor Users, by its SID: the name depends on the language of Windows. Returns the
// group's name here. It is no error if the account is, or is not, in it already.
ServiceResult<std::string> join_counter_readers(Sid account);
ServiceResult<std::string> leave_counter_readers(Sid account);

}  // namespace winperf
