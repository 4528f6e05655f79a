// Repairs for another machine that can't be read. A command is for this machine unless its text
// begins with "on HOST". Internal to this room. Thread rule: any thread.
#pragma once

#include <string>

#include "service/doctor/repairs.h"

namespace winperf {

Repair find_name(const std::string& host);
// The SMB port.
Repair open_way(const std::string& host);
// The service RemoteRegistry.
Repair serve_registry(const std::string& host);
Repair use_known_account(const std::string& host);
// Groups, and who may read the registry from elsewhere.
Repair allow_account(const TargetFacts& target);
// What PerfLib's functions need.
Repair open_rpc(const std::string& host);
Repair set_clock();

}  // namespace winperf
