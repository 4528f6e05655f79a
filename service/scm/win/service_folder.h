// The folder of a service, C:\ProgramData\<name>, and the one in it for its logs, each with rights
// of its own: whoever may log on may create a folder in C:\ProgramData.
#pragma once

#include <string>

#include "service/scm/service_manager.h"

namespace winperf {

// Makes what is missing of them, and gives them their owner and rights; what is in them inherits
// these. A link in their place, and a folder that somebody else has made, is an error. Returns the
// folder's path.
ServiceResult<std::string> make_service_folder(const std::string& service_name);

// Deletes the files of the log folder, and then the two folders where nothing else is in them. Goes
// into no folder below: the service's account may put there what it likes, and links that lead
// elsewhere; nor into the log folder if it is such a link. No error if there is none.
ServiceResult<void> remove_service_logs(const std::string& service_name);

}  // namespace winperf
