#include "service/run/service_host.h"

#include <malloc.h>

#include <csignal>

#include "service/run/console_host.h"

namespace winperf {
namespace {

// By itself, glibc keeps ever larger blocks for later once they were freed; then the memory of a
// counterset that had many instances for a while never returns.
constexpr int kReturnedBytes = 1 << 20;

}  // namespace

int run_hosted(const std::function<int(ServiceHost&)>& body) {
  mallopt(M_MMAP_THRESHOLD, kReturnedBytes);
  // Its console output may be discarded.
  std::signal(SIGPIPE, SIG_IGN);
  ConsoleHost host;
  return body(host);
}

}  // namespace winperf
