// What the trial provider does to the process that it runs in. Only its DLL includes this; neutral,
// with the part of each system in win/ and posix/. Thread rule: any thread.
#pragma once

namespace winperf::trial {

[[noreturn]] void wait_forever();
void end_process();
// Each keeps what it takes. A failure changes nothing.
void keep_memory(unsigned long long bytes);
void open_handles(int count);
void start_waiting_threads(int count);

}  // namespace winperf::trial
