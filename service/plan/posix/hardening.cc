#include "service/plan/hardening.h"

namespace winperf {

// A process here loads only what it was linked with.
void load_system_dlls_only() {}
void harden_this_process() {}

}  // namespace winperf
