// Accounts and their rights: the SIDs of services and accounts, membership in the group that may
// read performance counters, and folders that only a service and administrators may use. Also the
// failures of Windows' functions as SystemError. Thread rule: any thread. Source: Learn, "Service
// security identifiers", NetLocalGroupAddMembers.
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
[[nodiscard]] ServiceResult<std::string> counter_reader_group();
[[nodiscard]] ServiceResult<std::string> join_counter_readers(Sid account);
[[nodiscard]] ServiceResult<std::string> leave_counter_readers(Sid account);

// The folder of a service, C:\ProgramData\<name>, and its subfolder for logs. Both get explicit
// permissions, because every user may create folders in C:\ProgramData.

// Creates the folders that are missing, and sets the owner and permissions of both, which their
// contents inherit. It is an error if one of them is a link or belongs to another account. Returns
// the folder's path.
[[nodiscard]] ServiceResult<std::string> make_service_folder(const std::string& service_name);

// The same for another folder, in one where only administrators may create folders: `rights` are
// its permissions, by which the account `reader_sid` may read in it.
[[nodiscard]] ServiceResult<void> make_guarded_folder(const std::wstring& path,
                                                      const std::string& rights,
                                                      const std::string& reader_sid);

// Its path, whether it exists or not.
[[nodiscard]] ServiceResult<std::string> service_folder(const std::string& service_name);

// Deletes the files in the log folder, and then each of the two folders if it is empty. Never
// enters a subfolder, nor the log folder if it is a link: the service's account may have put
// anything there, including links that lead elsewhere. It is an error if one of the folders belongs
// to another account; a missing one is none.
[[nodiscard]] ServiceResult<void> remove_service_logs(const std::string& service_name);

// Removes each of the two folders if it is empty and no link. Deletes no file.
[[nodiscard]] ServiceResult<void> remove_empty_service_folders(const std::string& service_name);

}  // namespace winperf
