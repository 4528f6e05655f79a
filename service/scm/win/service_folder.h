// The folder of a service, C:\ProgramData\<name>, and its subfolder for logs. Both get permissions
// of their own, because everybody who can log on may create folders in C:\ProgramData. Thread rule:
// any thread.
#pragma once

#include <string>

#include "service/scm/service_manager.h"

namespace winperf {

// Creates the folders that are missing, and sets the owner and permissions of both, which their
// contents inherit. It is an error if one of them is a link or belongs to another account. Returns
// the folder's path.
[[nodiscard]] ServiceResult<std::string> make_service_folder(const std::string& service_name);

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
