// The kinds of harm for which each system has functions of its own: win/ and posix/ have them.
#pragma once

namespace faulty {

// In harm.cc, for all systems alike.
void write_to_nowhere();

void end_process();
[[noreturn]] void hang();
void close_foreign_handles();
void open_handles(int count);
void start_endless_threads(int count);
void start_crashing_thread();
void unmask_fpu();
void change_thread_locale();
void lower_priority();

}  // namespace faulty
