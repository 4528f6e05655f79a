// Restricts this process to its own code: no DLLs from other machines and no hooks. Does nothing
// where the system has no such policy. win/ and posix/ implement it. Thread rule: any thread.
#pragma once

namespace winperf {

// From now on DLLs that are named without a folder come from the system's folder only. main() calls
// it before everything else, except in workers.
void load_system_dlls_only();

void harden_this_process();

}  // namespace winperf
