#include "service/plan/hardening.h"

#include <malloc.h>

namespace winperf {
namespace {

constexpr int kReturnedBytes = 1 << 20;

}  // namespace

// A process here loads only what it was linked with.
void load_system_dlls_only() {}
void harden_this_process() {}

void limit_freed_memory() {
  // By itself, glibc keeps ever larger blocks for later once they were freed; then the memory of a
  // counterset that had many instances for a while never returns.
  mallopt(M_MMAP_THRESHOLD, kReturnedBytes);
  // Setting one threshold freezes the other one at 128 KB: then the state of each compression and
  // the text of each sample are returned, and their pages are made anew for the next one.
  mallopt(M_TRIM_THRESHOLD, kReturnedBytes);
}

}  // namespace winperf
