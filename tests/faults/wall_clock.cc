// Preloaded into the exporter, it moves the wall clock of its processes by as many seconds as the
// file says that WINPERF_CLOCK_FILE names, now and from call to call; the machine's own clock stays
// as it is. Steady clocks are not touched, as when somebody sets the time.
// Thread rule: any thread.
#include <dlfcn.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

namespace {

// Without the C++ library, which may not have been initialised yet.
long moved_seconds() {
  const int kept = errno;
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the exporter doesn't set it
  const char* const name = std::getenv("WINPERF_CLOCK_FILE");
  char text[32] = {};
  const int file = name == nullptr ? -1 : open(name, O_RDONLY | O_CLOEXEC);
  const bool is_read = file >= 0 && read(file, text, sizeof text - 1) > 0;
  if (file >= 0) close(file);
  errno = kept;
  return is_read ? std::strtol(text, nullptr, 10) : 0;
}

}  // namespace

extern "C" int clock_gettime(clockid_t clock, struct timespec* time) noexcept {
  using Function = int (*)(clockid_t, struct timespec*);
  static const auto kReal = reinterpret_cast<Function>(dlsym(RTLD_NEXT, "clock_gettime"));
  const int result = kReal(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
    time->tv_sec += moved_seconds();
  return result;
}
