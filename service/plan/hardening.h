// Restricts this process to its own code: no DLLs from other machines and no hooks; and the freed
// memory that it keeps. Does nothing where the system has no such setting. win/ and posix/
// implement it. Thread rule: any thread; limit_freed_memory() before there are others.
#pragma once

namespace winperf {

// From now on DLLs that are named without a folder come from the system's folder only. main() calls
// it before everything else, except in workers, of which only the doctor's calls it.
void load_system_dlls_only();

void harden_this_process();

// main() calls it, except in workers, which fill one large block again and again.
void limit_freed_memory();

}  // namespace winperf
