#include "service/selftest/trial/harm.h"

#include <windows.h>

namespace winperf::trial {

void wait_forever() {
  for (;;) Sleep(INFINITE);
}

void end_process() { ExitProcess(3); }

void keep_memory(unsigned long long bytes) {
  auto* const memory = static_cast<volatile char*>(
      VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE));
  constexpr unsigned long long kPage = 4096;
  for (unsigned long long at = 0; memory != nullptr && at < bytes; at += kPage) memory[at] = 1;
}

void open_handles(int count) {
  for (int i = 0; i < count; ++i) CreateEventW(nullptr, TRUE, FALSE, nullptr);
}

void start_waiting_threads(int count) {
  constexpr SIZE_T kStack = 64 * 1024;
  for (int i = 0; i < count; ++i) {
    const HANDLE thread = CreateThread(
        nullptr, kStack,
        [](void*) -> DWORD {
          for (;;) Sleep(INFINITE);
        },
        nullptr, STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
    if (thread != nullptr) CloseHandle(thread);
  }
}

}  // namespace winperf::trial
