// The folder of a service, C:\ProgramData\<name>, and the one in it for its logs, each with rights
// of its own: whoever may log on may create a folder in C:\ProgramData.
#pragma once

#include <string>

#include "service/service_manager.h"

namespace winperf {

// Makes what is missing of them, and gives them their owner and rights whoever made them; what is
// in them inherits these. Returns the folder's path.
Managed<std::string> make_service_folder(const std::string& service_name);

}  // namespace winperf
