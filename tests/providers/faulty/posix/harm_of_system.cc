#include "tests/providers/faulty/harm_of_system.h"

#include <fcntl.h>
#include <fenv.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace faulty {

void end_process() { kill(getpid(), SIGKILL); }

void hang() {
  for (;;) pause();
}

// Standard input, output and error stay, because they show what becomes of the program.
void close_foreign_handles() {
  for (int file = 3; file < 256; ++file) close(file);
}

void open_handles(int count) {
  for (int i = 0; i < count; ++i) open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void start_endless_threads(int count) {
  for (int i = 0; i < count; ++i) std::thread(hang).detach();
}

void start_crashing_thread() {
  std::thread([] {
    std::this_thread::sleep_for(std::chrono::seconds(1));
    write_to_nowhere();
  }).detach();
}

void unmask_fpu() { feenableexcept(FE_ALL_EXCEPT); }

void change_thread_locale() {
  const locale_t locale = newlocale(LC_ALL_MASK, "C.UTF-8", nullptr);
  if (locale != nullptr) uselocale(locale);
}

// On Linux, 0 in the place of a process means the calling thread.
void lower_priority() {
  setpriority(PRIO_PROCESS, 0, 19);
  setpriority(PRIO_PROCESS, static_cast<id_t>(getpid()), 19);
}

}  // namespace faulty
