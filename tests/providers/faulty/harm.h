// The harm that a provider's code can do to the process that it runs in. What is named here is
// really done, so that programs which have to survive it can be tried.
//
//   av             writes to address 0
//   exit           calls exit(3)
//   terminate      ends the process without any clean-up
//   abort          calls abort()
//   cxx            throws a C++ exception out of the provider's function
//   stack          calls itself until the stack is used up
//   heap           writes past its blocks, and then uses the heap until somebody notices
//   hang           never returns, and uses no processor time
//   spin           never returns, and uses a whole processor
//   slow           returns after 3 seconds
//   close_handles  closes handles or file descriptors that belong to others
//   handles        opens 200 handles or file descriptors and keeps them
//   leak           uses 16 MiB of memory and keeps them
//   threads        starts 50 threads that never end
//   thread_left    starts a thread that writes to address 0 a second later
//   fpu            unmasks all floating-point exceptions of the calling thread
//   locale         changes the locale of the process and of the calling thread
//   cwd            changes the current directory to the root
//   priority       lowers the priority of the process and of the calling thread
//   overrun16      writes 16 bytes past the buffer that the system gave
//   overrun64k     writes 64 KiB past it
//   overrun16m     writes 16 MiB past it
//   error          (in Open only) answers ERROR_ACCESS_DENIED
//
// A control file says what happens, and where. It contains one word, such as "hang_collect"; an
// empty or missing file stands for no harm. It is read at every call, so that harm begins and ends
// while everything runs. Words of the points data, v2, clock, names and key are not in this table:
// see data_harm.h, and tests/simulator/faulty_spoiler.h.
// Thread rule: any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace faulty {

// The function in which harm is done: the three of a V1 provider, or PerfQueryCounterData. Their
// words are open, collect, close and perflib. Then what a provider or the system gives: data, v2
// (what PerfLib answers), clock, names (the registry's name table), key (the registration).
enum class Point { kOpen, kCollect, kClose, kPerflib, kData, kV2, kClock, kNames, kKey };

// All words of the table above.
std::vector<std::string_view> words();

// `past`: the first byte behind the system's buffer; without one, an overrun does nothing. False if
// there is no such word.
bool perform(std::string_view word, std::byte* past = nullptr);

// The control file's word without its point, if it names this point; otherwise empty.
std::string fault_told(Point point, const std::filesystem::path& control_file);

// Does what the control file says, if it names this point. A word that doesn't exist does nothing.
void fault_at(Point point, const std::filesystem::path& control_file, std::byte* past = nullptr);

}  // namespace faulty
