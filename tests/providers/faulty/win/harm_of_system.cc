#include "tests/providers/faulty/harm_of_system.h"

#include <float.h>
#include <windows.h>

namespace faulty {
namespace {

// Threads of Windows itself: those of the C++ runtime would need this DLL to stay loaded.
void start(LPTHREAD_START_ROUTINE function, int count) {
  for (int i = 0; i < count; ++i) {
    const HANDLE thread = CreateThread(nullptr, 0, function, nullptr, 0, nullptr);
    if (thread != nullptr) CloseHandle(thread);
  }
}

}  // namespace

void end_process() { TerminateProcess(GetCurrentProcess(), 1); }

void hang() {
  for (;;) SuspendThread(GetCurrentThread());
}

void close_foreign_handles() {
  for (ULONG_PTR value = 4; value <= 4096; value += 4) CloseHandle(reinterpret_cast<HANDLE>(value));
}

void open_handles(int count) {
  for (int i = 0; i < count; ++i) CreateEventW(nullptr, TRUE, FALSE, nullptr);
}

void start_endless_threads(int count) {
  start(
      [](void*) -> DWORD {
        for (;;) Sleep(INFINITE);
      },
      count);
}

void start_crashing_thread() {
  start(
      [](void*) -> DWORD {
        Sleep(1'000);
        write_to_nowhere();
        return 0;
      },
      1);
}

void unmask_fpu() {
  _clearfp();
  _controlfp(0, _MCW_EM);
}

void change_thread_locale() { SetThreadLocale(MAKELCID(0x0407, SORT_DEFAULT)); }

void lower_priority() {
  SetPriorityClass(GetCurrentProcess(), IDLE_PRIORITY_CLASS);
  SetThreadPriority(GetCurrentThread(), THREAD_PRIORITY_IDLE);
}

}  // namespace faulty
