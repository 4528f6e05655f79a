// What this process gives up once it runs no code but its own: DLLs come from the system's folder
// only, not from other machines, and nothing hooks into it. Where the system knows no such policy,
// nothing happens. win/ and posix/ implement it. Thread rule: any thread.
#pragma once

namespace winperf {

void harden_this_process();

}  // namespace winperf
