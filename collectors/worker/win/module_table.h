// Where the modules of this process are, and were before they were unloaded, for whoever may not
// ask the system: in the middle of a crash, or while another thread stands still and may hold any
// lock. Threads that a DLL has left crash where it isn't any more.
// Thread rule: keep_module_table() once, before other modules are loaded; module_at() anywhere.
// Source: Learn, LdrRegisterDllNotification, LdrDllNotification, EnumProcessModules.
#pragma once

#include <cstdint>
#include <string_view>

namespace winperf::worker {

// From now on the table follows what is loaded. Without the system's function it has only what is
// loaded now.
void keep_module_table();

// The file name of the module at an address, or of the last one that was there: "faulty.dll". Empty
// if there was none.
std::string_view module_at(std::uintptr_t address);

}  // namespace winperf::worker
