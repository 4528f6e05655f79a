// What this process gives up once it runs no code but its own: nothing from other machines is
// loaded, and nothing hooks into it. Where the system knows no such policy, nothing happens. win/
// and posix/ implement it. Thread rule: any thread.
#pragma once

namespace winperf {

// From now on DLLs that are named without a folder come from the system's folder only. main() calls
// it before everything else, except in workers.
void load_system_dlls_only();

void harden_this_process();

}  // namespace winperf
