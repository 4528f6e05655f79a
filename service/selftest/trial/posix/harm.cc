#include "service/selftest/trial/harm.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace winperf::trial {

void wait_forever() {
  for (;;) pause();
}

void end_process() { _exit(3); }

void keep_memory(unsigned long long bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  constexpr unsigned long long kPage = 4096;
  for (unsigned long long at = 0; at < bytes; at += kPage)
    static_cast<volatile char*>(memory)[at] = 1;
}

void open_handles(int count) {
  for (int i = 0; i < count; ++i) static_cast<void>(open("/dev/null", O_RDONLY | O_CLOEXEC));
}

void start_waiting_threads(int count) {
  for (int i = 0; i < count; ++i) {
    pthread_t thread{};
    if (pthread_create(&thread, nullptr, [](void*) -> void* { wait_forever(); }, nullptr) == 0)
      pthread_detach(thread);
  }
}

}  // namespace winperf::trial
